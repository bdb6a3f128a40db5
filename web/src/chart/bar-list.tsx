import { Link } from '@tanstack/react-router';
import sheet from '../parts/sheet.module.css';
import { formatShare } from '../parts/words.ts';
import styles from './chart.module.css';
import { type ChartData, formatOf, sumOf } from './chart-data.ts';

interface BarListProps {
  /** What the list shows. */
  readonly label: string;
  readonly data: ChartData;
}

/** How many rows a list shows. The table behind it has all. */
const most = 8;

/** A list of names with a bar, the value and the share of each. A row that leads somewhere is a link. */
export function BarList({ label, data }: BarListProps) {
  const format = formatOf(data);
  const sums = data.rows.map(sumOf);
  const all = sums.reduce((sum, one) => sum + one, 0);
  const longest = Math.max(...sums);
  const hidden = data.rows.length - most;
  return (
    <div className={styles.figure}>
      <ol className={styles.rows} aria-label={label}>
        {data.rows.slice(0, most).map((row, index) => {
          const sum = sums[index] ?? 0;
          const colour = row.colour ?? data.series[0]?.colour;
          const shown = {
            className: styles.row,
            title: row.title,
            children: (
              <>
                <span className={sheet.cut} dir="auto">
                  {row.title}
                </span>
                <span>{format(sum)}</span>
                <span className={sheet.number}>{formatShare(sum / all)}</span>
                <span className={styles.track}>
                  {sum > 0 && <span style={{ width: `${(sum / longest) * 100}%`, background: colour }} />}
                </span>
              </>
            ),
          };
          return <li key={row.id}>{row.link ? <Link {...row.link} {...shown} /> : <span {...shown} />}</li>;
        })}
      </ol>
      {hidden > 0 && <span className={sheet.quiet}>{hidden} more in the table</span>}
    </div>
  );
}
