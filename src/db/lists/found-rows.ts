import type { Position } from '../../contract/schemas/cursors.ts';

/** A row that is too long to be read with the others. */
export interface LongRow {
  readonly bytes: number;
  readonly id: string | number;
}

/** A row with a longer text is not read in the first query. */
export const maxShortTextBytes = 8 * 1024;

/** The rows of a list or a page, in order. */
export interface FoundRows {
  /** The version of the list's tables in the snapshot that the rows were read from. */
  readonly version: string;
  /** Whether a whole list has too many rows for one query. Then the rows are not all there. */
  readonly isTooLong: boolean;
  /** Short rows as JSON texts, joined by commas, and between them the long rows. */
  readonly parts: readonly (string | LongRow)[];
  /** The position of the last row of a page, if more rows follow. */
  readonly next: Position | null;
}
