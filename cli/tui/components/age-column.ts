import { age } from '../text/age.ts';
import { theme } from '../theme.ts';
import type { TableColumn } from './table.tsx';

/** Returns a column that shows how long ago something was. */
export function ageColumn<Row>(
  timeOf: (row: Row) => string | number,
  now: number,
  column: Pick<TableColumn<Row>, 'heading' | 'width' | 'dropAs'>,
): TableColumn<Row> {
  return { ...column, value: (row) => age(timeOf(row), now), align: 'right', paint: () => theme.quiet };
}
