import type { Tone } from '../tones.ts';

/** One column of a table of rows, on a terminal and in the terminal dashboard. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** The field that it shows, if the heading has another name. */
  readonly field?: string;
  /** Returns what a pipe gets, where `value` is a form for people: the time itself and not `2 hours ago`. */
  readonly exact?: (row: Row) => string;
  /** Returns a shorter form of the value for the dashboard, whose columns are narrow: `2h`. */
  readonly short?: (row: Row) => string;
  /** Returns what the text of a cell means; it is coloured after it is cut to fit. */
  readonly tone?: (row: Row) => Tone | undefined;
  /** Numbers are aligned to the right. */
  readonly align?: 'left' | 'right';
  /** Columns with the highest number are dropped first when the table is too wide. Without it, a column is not dropped. */
  readonly dropAs?: number;
  /**
   * Whether its texts are cut first: those that people write, which may have any length. Texts that are typed again, such
   * as ids, stay whole as long as possible.
   */
  readonly cut?: boolean;
  /**
   * The width in the dashboard, in cells: its tables scroll, so their columns cannot follow the rows that are shown. Without
   * one, the column takes what the others leave.
   */
  readonly width?: number;
}

export const gap = '  ';
/** When no more columns can be dropped, cut columns shrink to this width. */
const minCutCells = 5;

/** The widths that columns would need. */
export type Widths<Row> = ReadonlyMap<Column<Row>, number>;

/** Returns the total width of columns and the gaps between them. */
function sum(widths: Iterable<number>): number {
  return [...widths].reduce((total, each) => total + each + gap.length, -gap.length);
}

/**
 * Returns the columns to show, each with its final width.
 *
 * @param usefulCells - a cut column is useful down to this width: before it gets narrower, other columns are dropped
 */
export function fitColumns<Row>(natural: Widths<Row>, width: number, usefulCells = 12): Widths<Row> {
  const widths = new Map(
    choose(natural, width, usefulCells).map((column) => [column, Math.min(natural.get(column) ?? 0, width)]),
  );
  /** Narrows the widest column first. */
  const narrow = (canNarrow: (column: Column<Row>) => boolean, minCells: number) => {
    let excess = sum(widths.values()) - width;
    while (excess > 0) {
      const [widest, next] = [...widths]
        .filter(([column, cells]) => canNarrow(column) && cells > minCells)
        .sort(([, one], [, other]) => other - one);
      if (widest === undefined) return;
      const by = Math.min(excess, Math.max(1, widest[1] - (next?.[1] ?? minCells)));
      widths.set(widest[0], widest[1] - by);
      excess -= by;
    }
  };
  narrow(({ cut }) => cut === true, usefulCells);
  narrow(({ cut }) => cut === true, minCutCells);
  narrow(() => true, 1);
  return widths;
}

/** Chooses the most important columns, as many as fit. */
function choose<Row>(natural: Widths<Row>, width: number, usefulCells: number): readonly Column<Row>[] {
  const minWidthOf = (column: Column<Row>) =>
    Math.min(natural.get(column) ?? 0, column.cut ? usefulCells : Number.POSITIVE_INFINITY);
  let shown = [...natural.keys()];
  const droppable = shown
    .filter(({ dropAs }) => dropAs !== undefined)
    .sort((one, other) => (other.dropAs ?? 0) - (one.dropAs ?? 0));
  for (const column of droppable) {
    if (sum(shown.map(minWidthOf)) <= width) break;
    shown = shown.filter((each) => each !== column);
  }
  // Some terminals do not even have room for one character of each.
  while (shown.length > 1 && sum(shown.map(() => 1)) > width) shown.pop();
  return shown;
}
