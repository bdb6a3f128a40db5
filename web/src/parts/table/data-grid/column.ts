import type { CSSProperties, ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** The width, as a track of a CSS grid. */
  readonly width: string;
  /** The place in the two lines of a row on a phone. */
  readonly phone: 'title' | 'start' | 'end' | 'hidden';
  /** Whether it has numbers, which are aligned at their ends. */
  readonly isNumber?: boolean;
  /** The field that the title sorts by. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
}

/** Returns the style that gives the head and each row the same columns. */
export function tracksOf(
  columns: readonly { readonly width: string }[],
  isSelectable: boolean,
): CSSProperties {
  const widths = [...(isSelectable ? ['28px'] : []), ...columns.map(({ width }) => width)];
  return { '--tracks': widths.join(' ') } as CSSProperties;
}
