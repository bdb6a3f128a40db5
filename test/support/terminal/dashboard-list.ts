import { setImmediate } from 'node:timers/promises';
import { createList, type List } from '../../../cli/tui/list/list.ts';
import type { ListSource, Page } from '../../../cli/tui/list/source.ts';

export interface Row {
  readonly id: number;
  readonly name: string;
}

export const rowOrder = { keyOf: ({ id }: Row) => id, timeOf: ({ id }: Row) => id };

/** Returns the rows with the ids from the first number down to the second. */
export const rowsFrom = (from: number, to: number): Row[] =>
  Array.from({ length: from - to + 1 }, (_, index) => ({ id: from - index, name: `row ${from - index}` }));

/** Creates a list of rows that the test can change. `failure` makes its loads fail. */
export function listOver(
  rows: { current: Row[]; failure?: string },
  arrange?: (rows: readonly Row[]) => readonly Row[],
): List<Row> {
  return createList<Row>({
    ...rowOrder,
    arrange,
    explain: String,
    now: () => 0,
    async load(cursor, limit): Promise<Page<Row>> {
      if (rows.failure !== undefined) throw new Error(rows.failure);
      const rest = rows.current.filter(({ id }) => cursor === null || id < Number(cursor));
      const page = rest.slice(0, limit);
      return { rows: page, nextCursor: rest.length > limit ? String(page.at(-1)?.id) : null };
    },
  });
}

/** A load of a list that waits for its answer. */
export interface HeldLoad {
  readonly cursor: string | null;
  /** Answers, and resolves when the effects of the answer have happened. */
  readonly answer: (rows: readonly Row[], nextCursor?: string | null) => Promise<void>;
  readonly refuse: (sentence: string) => Promise<void>;
}

/** Creates a list whose loads the test answers, in any order. */
export function heldList(more: Partial<ListSource<Row>> = {}): {
  list: List<Row>;
  loads: HeldLoad[];
  source: ListSource<Row>;
} {
  const loads: HeldLoad[] = [];
  const source: ListSource<Row> = {
    ...rowOrder,
    explain: (error) => (error as Error).message,
    now: () => 0,
    load(cursor) {
      const { promise, resolve, reject } = Promise.withResolvers<Page<Row>>();
      loads.push({
        cursor,
        answer(rows, nextCursor = null) {
          resolve({ rows, nextCursor });
          return setImmediate();
        },
        refuse(sentence) {
          reject(new Error(sentence));
          return setImmediate();
        },
      });
      return promise;
    },
    ...more,
  };
  return { list: createList(source), loads, source };
}
