import { Link } from '@tanstack/react-router';
import { formatShare } from '../numbers.ts';
import styles from './bar-list.module.css';
import { type ChartData, formatOf, sumOf } from './chart-data.ts';

interface BarListProps {
  /** What the list shows. */
  readonly label: string;
  readonly data: ChartData;
  /** How many rows it shows. The table behind it has all. */
  readonly most?: number;
}

/** A list of names with a bar, the value and the share of each. A row that leads somewhere is a link. */
export function BarList({ label, data, most = 6 }: BarListProps) {
  const format = formatOf(data);
  const all = data.rows.reduce((sum, row) => sum + sumOf(row), 0);
  const longest = Math.max(...data.rows.map(sumOf));
  const colour = data.series[0]?.colour;
  const hidden = data.rows.length - most;
  return (
    <>
      <ol className={styles.list} aria-label={label}>
        {data.rows.slice(0, most).map((row) => {
          const content = (
            <>
              <span className={styles.name}>{row.title}</span>
              <span>{format(sumOf(row))}</span>
              <span className={styles.share}>{formatShare(sumOf(row) / all)}</span>
              <span className={styles.track}>
                <span
                  className={styles.bar}
                  style={{ width: `${(sumOf(row) / longest) * 100}%`, background: row.colour ?? colour }}
                />
              </span>
            </>
          );
          return (
            <li key={row.id}>
              {row.link ? (
                <Link {...row.link} className={styles.row} title={row.title}>
                  {content}
                </Link>
              ) : (
                <span className={styles.row} title={row.title}>
                  {content}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {hidden > 0 && <p className={styles.more}>{hidden} more in the table</p>}
    </>
  );
}
