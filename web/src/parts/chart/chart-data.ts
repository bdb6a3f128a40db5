import type { LinkProps } from '@tanstack/react-router';
import { formatCount } from '../numbers.ts';

/** What is stacked in each bar. */
export interface Series {
  readonly name: string;
  /** A variable of the theme, such as `var(--series-1)`. */
  readonly colour: string;
}

/** A bar. */
export interface ChartRow {
  /** Tells the bar from the others. The name in the CSV file, such as `2026-01-31`. */
  readonly id: string;
  /** The name under the bar. */
  readonly name: string;
  /** The full name, in the tooltip, the table and speech. */
  readonly title: string;
  /** A value for each series. */
  readonly values: readonly number[];
  /** Another colour than that of the series, if there is only one. */
  readonly colour?: string;
  /** Where the bar leads to. */
  readonly link?: LinkProps | undefined;
}

/** What a chart shows, and its table and its files with it. */
export interface ChartData {
  /** What a row is, such as `Day`. */
  readonly rowName: string;
  readonly series: readonly Series[];
  readonly rows: readonly ChartRow[];
  /** Formats a value. By default, values are counts, and their digits are grouped. */
  readonly format?: (value: number) => string;
}

/** How many colours the theme has for series. */
const colours = 8;

/** Returns the colour of a series of its own kind, such as a model. */
export function seriesColour(index: number): string {
  return `var(--series-${(index % colours) + 1})`;
}

/** Returns the sum of the values of a bar. */
export function sumOf({ values }: Pick<ChartRow, 'values'>): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns how the values of a chart are written. */
export function formatOf({ format = formatCount }: ChartData): (value: number) => string {
  return format;
}

/** Reports whether the values of a chart are counts, which are whole numbers. */
export function isOfCounts({ format }: ChartData): boolean {
  return format === undefined;
}

/** Reports whether a chart has nothing to draw. */
export function isEmpty({ rows }: ChartData): boolean {
  return rows.every((row) => sumOf(row) === 0);
}

/** Returns a bar in words: its name, its sum and its parts. */
export function spoken(data: ChartData, row: ChartRow): string {
  const format = formatOf(data);
  if (data.series.length === 1) return `${row.title}: ${format(sumOf(row))}`;
  const parts = data.series.flatMap(({ name }, index) => {
    const value = row.values[index] ?? 0;
    return value === 0 ? [] : [`${name} ${format(value)}`];
  });
  return `${row.title}: ${[format(sumOf(row)), ...parts].join(', ')}`;
}
