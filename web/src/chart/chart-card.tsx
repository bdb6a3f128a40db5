import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import type { CsvLine } from '../parts/csv.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import sheet from '../parts/sheet.module.css';
import styles from './chart.module.css';
import { type ChartData, type ChartRow, formatOf, sumOf } from './chart-data.ts';

interface ChartCardProps {
  readonly title: string;
  /** What the figures say in a sentence, or what to know to read them. */
  readonly note?: ReactNode;
  /** What chooses the data. */
  readonly controls?: ReactNode;
  /** Undefined while the data is loaded. */
  readonly data: ChartData | undefined;
  /** What takes its place if it could not be loaded. */
  readonly failure?: ReactNode;
  /** What to say if there is nothing to draw. */
  readonly empty: ReactNode;
  /** The beginning of the name of its CSV file, such as `issues-by-day`. */
  readonly file: string;
  /** Draws the chart. */
  readonly children: (data: ChartData) => ReactNode;
}

/** A chart with its title. The table behind it takes its place, so that nothing moves. */
export function ChartCard(props: ChartCardProps) {
  const { title, note, controls, data, failure, empty, file, children } = props;
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const shown = data?.rows.some((row) => sumOf(row) > 0) ? data : undefined;
  return (
    <section className={sheet.surface} aria-labelledby={id}>
      <div className={sheet.row} style={{ justifyContent: 'space-between' }}>
        <h2 id={id}>{title}</h2>
        {controls}
      </div>
      <p className={`${sheet.quiet} ${styles.note}`}>{note}</p>
      <div className={styles.content}>
        {shown && (isTable ? <ChartTable label={`${title}, as a table`} data={shown} /> : children(shown))}
        {data && !shown && (
          <p className={sheet.quiet} style={{ margin: 'auto' }}>
            {empty}
          </p>
        )}
        {!data && (failure ?? <Skeleton data-loading />)}
      </div>
      <div className={`${sheet.row} ${styles.buttons}`}>
        {shown && (
          <>
            <Button
              size="compact-sm"
              color="gray"
              variant={isTable ? 'light' : 'subtle'}
              aria-pressed={isTable}
              aria-label={`As a table: ${title}`}
              onClick={() => setIsTable(!isTable)}
            >
              As a table
            </Button>
            <CsvButton
              label={title}
              file={`${file}-${new Date().toLocaleDateString('sv')}`}
              lines={() => linesOf(shown)}
            />
          </>
        )}
      </div>
    </section>
  );
}

/** Returns the titles of the columns of values. Several series have a sum. */
const titlesOf = ({ series }: ChartData) => [
  ...series.map(({ name }) => name),
  ...(series.length > 1 ? ['All'] : []),
];

const valuesOf = (row: ChartRow) => (row.values.length > 1 ? [...row.values, sumOf(row)] : row.values);

/** Returns a chart as lines of a CSV file. */
const linesOf = (data: ChartData): readonly CsvLine[] => [
  [data.rowName, ...titlesOf(data)],
  ...data.rows.map((row) => [row.id, ...valuesOf(row)]),
];

interface ChartTableProps {
  readonly label: string;
  readonly data: ChartData;
}

/** The values of a chart as a table. A long one scrolls by itself, also by the keyboard. */
function ChartTable({ label, data }: ChartTableProps) {
  const titles = titlesOf(data);
  const format = formatOf(data);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {[data.rowName, ...titles].map((title) => (
              <th key={title} scope="col">
                <bdi>{title}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" dir="auto">
                {row.link ? <Link {...row.link}>{row.title}</Link> : row.title}
              </th>
              {valuesOf(row).map((value, index) => (
                <td key={titles[index]}>{format(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
