import { type ChartData, seriesColour } from './chart-data.ts';
import { dayNames } from './day-rows.ts';

/** So many parts have a colour of their own. The others are one. */
const maxParts = 7;

interface PartsByDay {
  /** The names of the parts, the largest first. */
  readonly names: readonly string[];
  /** What the smaller parts are called together, such as `Other models`. */
  readonly others: string;
  readonly days: readonly {
    readonly date: string;
    readonly parts: readonly { readonly name: string; readonly amount: number }[];
  }[];
}

/** Stacks the parts of each day. */
export function stackByDay({ names, others, days }: PartsByDay): ChartData {
  const largest = names.slice(0, maxParts);
  const shown = names.length > maxParts ? [...largest, others] : largest;
  const shownNameOf = (name: string) => (largest.includes(name) ? name : others);
  return {
    rowName: 'Day',
    series: shown.map((name, index) => ({ name, colour: seriesColour(index) })),
    rows: days.map(({ date, parts }) => ({
      ...dayNames(date),
      values: shown.map((name) =>
        parts.reduce((sum, part) => (shownNameOf(part.name) === name ? sum + part.amount : sum), 0),
      ),
    })),
  };
}
