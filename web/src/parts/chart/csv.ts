import { csvFile } from '../files/csv.ts';
import { type ChartData, sumOf } from './chart-data.ts';

/** Returns the values of a chart as a CSV file. */
export function csvOf({ rowName, series, rows }: ChartData): Blob {
  const hasSum = series.length > 1;
  return csvFile([
    [rowName, ...series.map(({ name }) => name), ...(hasSum ? ['All'] : [])],
    ...rows.map((row) => [row.id, ...row.values, ...(hasSum ? [sumOf(row)] : [])]),
  ]);
}
