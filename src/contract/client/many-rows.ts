import { maxChangedRows, maxRowsOfChange } from '../fields/bounds.ts';

/** Cuts a list into parts of one call each. */
export const partsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_part, index) =>
    all.slice(index * size, (index + 1) * size),
  );

/** What an operation says that changes the rows of a filter. */
interface Changed {
  readonly changed: number;
  /** How many rows it has left for the next call. */
  readonly remaining: number;
  /** What undoes it; null if nothing changed. */
  readonly change_id: number | null;
}

/**
 * Changes all rows of a filter, call by call, and yields the answers. A call continues the change of the one before, so that
 * one undo puts both back, as long as the API lets that change grow.
 *
 * @param send - makes the call, with the change that it continues
 */
export async function* changeAll<Answer extends Changed>(
  send: (continued: { readonly change_id?: number }) => Promise<Answer>,
): AsyncGenerator<Answer> {
  let size = 0;
  let answer: Answer | undefined;
  do {
    const grown = size + maxChangedRows <= maxRowsOfChange ? answer?.change_id : undefined;
    if (grown == null) size = 0;
    answer = await send(grown == null ? {} : { change_id: grown });
    size += answer.changed;
    yield answer;
  } while (answer.remaining > 0 && answer.changed > 0);
}
