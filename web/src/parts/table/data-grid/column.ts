import type { CSSProperties, ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** The width, as a track of a CSS grid. */
  readonly width: string;
  /** The place in the two lines of a row on a phone. */
  readonly phone: 'title' | 'start' | 'end' | 'hidden';
  /** How wide the table must be to show it. Without, it is always there. */
  readonly from?: 'medium' | 'wide';
  /** Whether it has numbers, which are aligned at their ends. */
  readonly isNumber?: boolean;
  /** The field that the title sorts by. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
}

/** Returns the style that gives the head and each row the same columns. */
export function tracksOf(
  columns: readonly Pick<Column<never>, 'width' | 'from'>[],
  isSelectable: boolean,
): CSSProperties {
  const tracks = (hidden: readonly Column<never>['from'][]) =>
    [
      ...(isSelectable ? ['28px'] : []),
      ...columns.filter(({ from }) => from === undefined || !hidden.includes(from)).map(({ width }) => width),
    ].join(' ');
  return {
    '--tracks': tracks([]),
    '--tracks-medium': tracks(['wide']),
    '--tracks-narrow': tracks(['wide', 'medium']),
  } as CSSProperties;
}
