import type { CSSProperties } from 'react';
import styles from '../data-grid.module.css';
import { ariaSortOf, SortButton } from '../sort-button.tsx';
import type { Column } from './column.ts';
import type { Selection } from './selection.ts';

type ShownSelection = Omit<Selection<unknown>, 'set'>;

interface DataGridHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly tracks: CSSProperties;
  /** Undefined in a table without selection. */
  readonly selection: ShownSelection | undefined;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

/** The titles of the columns, which stay in place. */
export function DataGridHead<Row>({ columns, tracks, selection, sort, onSort }: DataGridHeadProps<Row>) {
  return (
    <div role="rowgroup" className={styles.headGroup}>
      <div role="row" aria-rowindex={1} className={styles.head} style={tracks}>
        {selection && <SelectAll selection={selection} />}
        {columns.map((column) => (
          <Heading key={column.title} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
    </div>
  );
}

/** Selects all rows of the list, or none if there are selected ones. */
function SelectAll({ selection: { ids, isAll, setAll } }: { readonly selection: ShownSelection }) {
  const isSome = !isAll && ids.size > 0;
  return (
    <span role="columnheader" className={styles.selectAll}>
      <input
        type="checkbox"
        className={styles.check}
        tabIndex={-1}
        aria-label="Select all"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = isSome;
        }}
        onChange={() => setAll(!isAll && !isSome)}
      />
    </span>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

/** The title of a column. One that can be sorted by is a button. */
function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { title, from, isNumber, sort: field } = column;
  if (field === undefined || onSort === undefined)
    return (
      <span role="columnheader" data-from={from} data-number={isNumber}>
        {title}
      </span>
    );
  return (
    <span role="columnheader" data-from={from} aria-sort={ariaSortOf(field, sort)}>
      <SortButton title={title} field={field} sort={sort} isLastFirst onSort={onSort} />
    </span>
  );
}
