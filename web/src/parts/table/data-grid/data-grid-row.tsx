import { type CSSProperties, memo, type ReactNode } from 'react';
import styles from '../data-grid.module.css';
import type { Column } from './column.ts';

interface DataGridRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  /** The distance from the top of the table, in pixels. */
  readonly start: number;
  readonly columns: readonly Column<Row>[];
  readonly tracks: CSSProperties;
  readonly isActive: boolean;
  /** Whether the row is open beside the table. */
  readonly isCurrent: boolean;
  /** Undefined in a table without selection. */
  readonly isSelected: boolean | undefined;
}

function PlainRow<Row extends { readonly id: string | number }>(props: DataGridRowProps<Row>): ReactNode {
  const { row, index, start, columns, tracks, isActive, isCurrent, isSelected } = props;
  return (
    <div
      id={`row-${row.id}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-current={isCurrent || undefined}
      data-index={index}
      data-active={isActive || undefined}
      className={styles.row}
      style={{ ...tracks, top: start }}
    >
      {isSelected !== undefined && (
        <span role="gridcell" className={styles.cell} data-phone="select">
          <input
            type="checkbox"
            className={styles.check}
            tabIndex={-1}
            aria-label={`Select ${row.id}`}
            checked={isSelected}
            readOnly
          />
        </span>
      )}
      {columns.map(({ title, phone, from, isNumber, cell }) => (
        <span
          key={title}
          role="gridcell"
          className={styles.cell}
          data-phone={phone}
          data-from={from}
          data-number={isNumber}
        >
          {cell(row)}
        </span>
      ))}
    </div>
  );
}

/** A row. Scrolling draws only the rows that come into view: the others have the same properties as before. */
export const DataGridRow = memo(PlainRow) as typeof PlainRow;
