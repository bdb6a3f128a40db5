import type { LinkProps } from '@tanstack/react-router';
import { formatCount } from '../parts/words.ts';

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

/** What a chart shows, and its table and its CSV file with it. */
export interface ChartData {
  /** What a row is, such as `Day`. */
  readonly rowName: string;
  readonly series: readonly Series[];
  readonly rows: readonly ChartRow[];
  /** Formats a value. By default, values are counts, and their digits are grouped. */
  readonly format?: (value: number) => string;
}

/** Returns the sum of the values of a bar. */
export function sumOf({ values }: Pick<ChartRow, 'values'>): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns how the values of a chart are written. */
export const formatOf = ({ format = formatCount }: ChartData) => format;

/** Returns the parts of a bar that are not zero. */
export function partsOf({ series }: ChartData, { values }: ChartRow) {
  return series.flatMap((one, index) => {
    const value = values[index] ?? 0;
    return value === 0 ? [] : [{ ...one, index, value }];
  });
}

/** Returns a bar in words: its name, its sum and its parts. */
export function spoken(data: ChartData, row: ChartRow): string {
  const format = formatOf(data);
  const parts =
    data.series.length === 1 ? [] : partsOf(data, row).map(({ name, value }) => `${name} ${format(value)}`);
  return `${row.title}: ${[format(sumOf(row)), ...parts].join(', ')}`;
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', timeZone: 'UTC' });
const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });

/** Returns the names of the bar of a day of a month, such as `2026-09-01`. */
export function dayNames(date: string): Pick<ChartRow, 'id' | 'name' | 'title'> {
  const at = new Date(`${date}T00:00:00Z`);
  return { id: date, name: day.format(at), title: fullDay.format(at) };
}

/** How many colours the theme has for series. The last one is of all the parts without a colour of their own. */
const colours = 8;

interface Stack<Day> {
  readonly days: readonly Day[];
  /** The names of the parts, the largest first. */
  readonly names: readonly string[];
  /** What the smaller parts are called together, such as `Other models`. */
  readonly others: string;
  readonly amountsOf: (day: Day) => readonly (readonly [name: string, amount: number])[];
}

/** Stacks the parts of each day. */
export function stackByDay<Day extends { readonly date: string }>(stack: Stack<Day>): ChartData {
  const { days, names, others, amountsOf } = stack;
  const largest = names.slice(0, colours - 1);
  const shown = names.length > largest.length ? [...largest, others] : largest;
  const shownNameOf = (name: string) => (largest.includes(name) ? name : others);
  return {
    rowName: 'Day',
    series: shown.map((name, index) => ({ name, colour: `var(--series-${index + 1})` })),
    rows: days.map((day) => ({
      ...dayNames(day.date),
      values: shown.map((name) =>
        amountsOf(day).reduce((sum, [part, amount]) => (shownNameOf(part) === name ? sum + amount : sum), 0),
      ),
    })),
  };
}
