import type { ReactNode } from 'react';
import { RelativeTime } from '../time/relative-time.tsx';
import type { ShortColumn } from './short-table.tsx';

interface TimeColumn<Row> extends Omit<ShortColumn<Row>, 'cell'> {
  /** Returns the time of a row, if it has one. */
  readonly at: (row: Row) => string | null | undefined;
  /** Stands in place of a time that a row does not have. */
  readonly none?: ReactNode;
}

/** Creates a column of times, which are shown as their distance from now. */
export function timeColumn<Row>({ at, none, ...column }: TimeColumn<Row>): ShortColumn<Row> {
  return {
    ...column,
    cell: (row) => {
      const time = at(row);
      return time ? <RelativeTime at={time} /> : none;
    },
  };
}
