import { Button, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failure } from '../failure.tsx';
import { type RowAction, RowMenu } from './row-menu.tsx';
import styles from './short-table.module.css';
import { ariaSortOf, SortButton } from './sort-button.tsx';

const rowsAtOnce = 100;
const skeletonRows = ['first', 'second', 'third'];

export interface ShortColumn<Row> {
  readonly title: string;
  /** The place in the two lines of a row on a phone. What is hidden there is hidden on a tablet too. */
  readonly phone: 'title' | 'start' | 'end' | 'hidden';
  /** Whether it is shown only where the table is wide, so that the others have room. */
  readonly from?: 'wide';
  /** The width on a desk, such as `160px`. Columns without one share the rest. */
  readonly width?: string;
  /** Whether it has numbers, which are aligned at their ends. */
  readonly isNumber?: boolean;
  /** The field that the title sorts by. */
  readonly sort?: string;
  /** Whether the first press on the title puts the last first, as for times. */
  readonly isLastFirst?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface ShortTableProps<Row extends { readonly id: string | number }> {
  /** What the rows are, such as `Webhooks`. */
  readonly label: string;
  readonly columns: readonly ShortColumn<Row>[];
  /** Undefined while they are loaded. */
  readonly rows: readonly Row[] | undefined;
  /** Why they could not be loaded. */
  readonly error?: Error | null;
  readonly retry?: () => void;
  /** Returns the name of a row for the button of its menu. */
  readonly nameOf: (row: Row) => string;
  /** Returns what can be done with a row, in its menu. */
  readonly actions?: (row: Row) => readonly RowAction[];
  /** How the rows are sorted: a field, with a hyphen before it if the last comes first. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  /** Stands in place of the table if there is no row. */
  readonly empty?: ReactNode;
}

/** A table of few rows, all of which are in the document. On a phone each row has two lines. */
export function ShortTable<Row extends { readonly id: string | number }>(props: ShortTableProps<Row>) {
  const { label, columns, rows, error, retry = () => {}, nameOf, actions, sort, onSort, empty } = props;
  const [count, setCount] = useState(rowsAtOnce);
  const resting = columns.filter(({ width }) => width === undefined).length;
  if (rows === undefined && error) return <Failure error={error} retry={retry} />;
  if (rows?.length === 0 && empty !== undefined) return empty;
  return (
    <div className={styles.frame}>
      <table
        className={styles.table}
        aria-label={label}
        aria-busy={rows === undefined}
        data-spread={(resting < 3 && resting < columns.length) || undefined}
      >
        <thead className={styles.head}>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} column={column} sort={sort} onSort={onSort} />
            ))}
            {actions && (
              <th className={styles.menu}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? skeletonRows.map((key) => <SkeletonRow key={key} columns={columns} hasMenu={!!actions} />)
            : rows.slice(0, count).map((row) => (
                <tr key={row.id} className={styles.row}>
                  {columns.map(({ title, phone, from, isNumber, cell }) => (
                    <td key={title} data-phone={phone} data-from={from} data-number={isNumber}>
                      {cell(row)}
                    </td>
                  ))}
                  {actions && (
                    <td data-phone="menu">
                      <RowMenu name={nameOf(row)} actions={actions(row)} />
                    </td>
                  )}
                </tr>
              ))}
        </tbody>
      </table>
      {rows !== undefined && rows.length > count && (
        <Button
          variant="default"
          size="compact-sm"
          className={styles.more ?? ''}
          onClick={() => setCount(count + rowsAtOnce)}
        >
          Show more
        </Button>
      )}
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: ShortColumn<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

/** The title of a column. One that can be sorted by is a button. */
function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { title, width, phone, from, isNumber, sort: field, isLastFirst = false } = column;
  if (field === undefined || onSort === undefined)
    return (
      <th scope="col" style={{ width }} data-phone={phone} data-from={from} data-number={isNumber}>
        {title}
      </th>
    );
  return (
    <th
      scope="col"
      style={{ width }}
      data-phone={phone}
      data-from={from}
      data-number={isNumber}
      aria-sort={ariaSortOf(field, sort)}
    >
      <SortButton {...{ title, field, sort, isLastFirst, onSort }} />
    </th>
  );
}

interface SkeletonRowProps<Row> {
  readonly columns: readonly ShortColumn<Row>[];
  readonly hasMenu: boolean;
}

/** A row of the height of the others, until they are there. */
function SkeletonRow<Row>({ columns, hasMenu }: SkeletonRowProps<Row>) {
  return (
    <tr className={styles.row} data-loading>
      {columns.map(({ title, phone, from }) => (
        <td key={title} data-phone={phone} data-from={from}>
          <span className={styles.skeleton} />
        </td>
      ))}
      {hasMenu && <td data-phone="menu" />}
    </tr>
  );
}
