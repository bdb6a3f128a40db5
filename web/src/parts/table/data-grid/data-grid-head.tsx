import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import { Icon } from '../../icon.tsx';
import styles from '../data-grid.module.css';
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

/** The title of a column. One that can be sorted by is a button; a second press turns the order round. */
function Heading<Row>({ column: { title, sort: field }, sort, onSort }: HeadingProps<Row>) {
  if (field === undefined || onSort === undefined) return <span role="columnheader">{title}</span>;
  const isDescending = sort === `-${field}`;
  const isActive = isDescending || sort === field;
  const order = isDescending ? 'descending' : 'ascending';
  return (
    <span role="columnheader" aria-sort={isActive ? order : 'none'}>
      <button
        type="button"
        className={styles.sort}
        data-active={isActive || undefined}
        onClick={() => onSort(isDescending ? field : `-${field}`)}
      >
        {title}
        {isActive && (
          <span className={styles.order} data-order={order}>
            <Icon name="chevron" />
          </span>
        )}
      </button>
    </span>
  );
}
