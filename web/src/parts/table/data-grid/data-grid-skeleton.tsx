import styles from '../data-grid.module.css';
import { type Column, tracksOf } from './column.ts';
import { DataGridHead } from './data-grid-head.tsx';

const rowCount = 12;
const rows = Array.from({ length: rowCount }, (_row, index) => index);

const nothingSelected = { ids: new Set(), isAll: false, setAll() {} };

interface DataGridSkeletonProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly isSelectable?: boolean;
}

/** Stands for a table while it is loaded, so that nothing moves when it is there. */
export function DataGridSkeleton<Row>({ columns, isSelectable = false }: DataGridSkeletonProps<Row>) {
  const tracks = tracksOf(columns, isSelectable);
  return (
    <div className={styles.scroller} aria-hidden="true">
      <DataGridHead
        columns={columns}
        tracks={tracks}
        selection={isSelectable ? nothingSelected : undefined}
        sort={undefined}
        onSort={undefined}
      />
      {rows.map((row) => (
        <div key={row} className={styles.row} data-loading style={tracks}>
          {isSelectable && <span className={styles.cell} data-phone="select" />}
          {columns.map(({ title, phone, from }) => (
            <span key={title} className={styles.cell} data-phone={phone} data-from={from}>
              <span className={styles.bone} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
