import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import styles from '../data-grid.module.css';
import { ariaSortOf, SortButton } from '../sort-button.tsx';
import type { Column } from './column.ts';

interface DataGridHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly tracks: CSSProperties;
  readonly isSelectable: boolean;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

/** The titles of the columns, which stay in place. */
export function DataGridHead<Row>({ columns, tracks, isSelectable, sort, onSort }: DataGridHeadProps<Row>) {
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={styles.head} style={tracks}>
        {isSelectable && (
          <span role="columnheader">
            <VisuallyHidden>Selected</VisuallyHidden>
          </span>
        )}
        {columns.map((column) => (
          <Heading key={column.title} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

/** The title of a column. One that can be sorted by is a button. */
function Heading<Row>({ column: { title, sort: field }, sort, onSort }: HeadingProps<Row>) {
  if (field === undefined || onSort === undefined) return <span role="columnheader">{title}</span>;
  return (
    <span role="columnheader" aria-sort={ariaSortOf(field, sort)}>
      <SortButton title={title} field={field} sort={sort} isLastFirst onSort={onSort} />
    </span>
  );
}
