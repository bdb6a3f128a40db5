import { Link } from '@tanstack/react-router';
import { type ChartData, formatOf, sumOf } from './chart-data.ts';
import styles from './chart-table.module.css';

interface ChartTableProps {
  readonly label: string;
  readonly data: ChartData;
}

/** The values of a chart as a table. A long one scrolls by itself, also by the keyboard. */
export function ChartTable({ label, data }: ChartTableProps) {
  const { rowName, series, rows } = data;
  const format = formatOf(data);
  const hasSum = series.length > 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{rowName}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {hasSum && <th scope="col">All</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.link ? <Link {...row.link}>{row.title}</Link> : row.title}</th>
              {series.map(({ name }, index) => (
                <td key={name}>{format(row.values[index] ?? 0)}</td>
              ))}
              {hasSum && <td>{format(sumOf(row))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
