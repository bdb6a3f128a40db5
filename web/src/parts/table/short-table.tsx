import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type RowAction, RowMenu } from './row-menu.tsx';
import styles from './short-table.module.css';

const rowsAtOnce = 100;
const skeletonRows = ['first', 'second', 'third'];

export interface ShortColumn<Row> {
  readonly title: string;
  /** The place in the two lines of a row on a phone. */
  readonly phone: 'title' | 'start' | 'end' | 'hidden';
  /** The width on a desk, such as `160px`. Columns without one share the rest. */
  readonly width?: string;
  /** Whether it has numbers, which are aligned at their ends. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface ShortTableProps<Row extends { readonly id: string | number }> {
  /** What the rows are, such as `Webhooks`. */
  readonly label: string;
  readonly columns: readonly ShortColumn<Row>[];
  /** Undefined while they are loaded. */
  readonly rows: readonly Row[] | undefined;
  /** Returns the name of a row for the button of its menu. */
  readonly nameOf: (row: Row) => string;
  /** Returns what can be done with a row, in its menu. */
  readonly actions?: (row: Row) => readonly RowAction[];
  /** Stands in place of the table if there is no row. */
  readonly empty?: ReactNode;
}

/** A table of few rows, all of which are in the document. On a phone each row has two lines. */
export function ShortTable<Row extends { readonly id: string | number }>(props: ShortTableProps<Row>) {
  const { label, columns, rows, nameOf, actions, empty } = props;
  const [count, setCount] = useState(rowsAtOnce);
  if (rows?.length === 0 && empty !== undefined) return empty;
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label} aria-busy={rows === undefined}>
        <thead className={styles.head}>
          <tr>
            {columns.map(({ title, width, isNumber }) => (
              <th key={title} scope="col" style={{ width }} data-number={isNumber}>
                {title}
              </th>
            ))}
            {actions && (
              <th className={styles.menu}>
                <span className={styles.hidden}>Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? skeletonRows.map((key) => <SkeletonRow key={key} columns={columns} hasMenu={!!actions} />)
            : rows.slice(0, count).map((row) => (
                <tr key={row.id} className={styles.row}>
                  {columns.map(({ title, phone, isNumber, cell }) => (
                    <td key={title} data-phone={phone} data-number={isNumber}>
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

interface SkeletonRowProps<Row> {
  readonly columns: readonly ShortColumn<Row>[];
  readonly hasMenu: boolean;
}

/** A row of the height of the others, until they are there. */
function SkeletonRow<Row>({ columns, hasMenu }: SkeletonRowProps<Row>) {
  return (
    <tr className={styles.row} data-loading>
      {columns.map(({ title, phone }) => (
        <td key={title} data-phone={phone}>
          <span className={styles.skeleton} />
        </td>
      ))}
      {hasMenu && <td data-phone="menu" />}
    </tr>
  );
}
