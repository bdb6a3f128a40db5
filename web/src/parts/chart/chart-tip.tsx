import styles from './chart.module.css';
import { type ChartData, type ChartRow, formatOf, sumOf } from './chart-data.ts';
import { Swatch } from './legend.tsx';

interface ChartTipProps {
  readonly data: ChartData;
  readonly row: ChartRow;
  /** The middle of the bar. */
  readonly x: number;
  /** The width of the drawing. */
  readonly width: number;
}

/** The values of a bar, beside it. Screen readers get them from the bar. */
export function ChartTip({ data, row, x, width }: ChartTipProps) {
  const format = formatOf(data);
  const isRight = x > width / 2;
  const parts = data.series.map(({ name }, index) => ({ name, index, value: row.values[index] ?? 0 }));
  return (
    <div
      className={styles.tip}
      aria-hidden="true"
      data-picture="none"
      style={isRight ? { right: width - x + 16 } : { left: x + 16 }}
    >
      <strong>{row.title}</strong>
      {data.series.length > 1 &&
        parts
          .filter(({ value }) => value !== 0)
          .map(({ name, index, value }) => (
            <span key={name} className={styles.tipRow}>
              <Swatch series={data.series} index={index} />
              <span className={styles.tipName}>{name}</span>
              <span>{format(value)}</span>
            </span>
          ))}
      <span className={styles.tipRow}>
        <span className={styles.tipName}>{data.series.length > 1 ? 'All' : data.series[0]?.name}</span>
        <span>{format(sumOf(row))}</span>
      </span>
    </div>
  );
}
