import { nice, ticks } from 'd3-array';
import { type ChartData, formatOf, isOfCounts } from './chart-data.ts';

const tickCount = 4;
/** How wide a character of the axes is at most, on average: in wide fonts such as DejaVu Sans and Verdana. */
const characterWidth = 7.5;

export interface ValueScale {
  readonly ticks: readonly number[];
  /** The room that the labels need. */
  readonly left: number;
  /** Returns the height of a value above the foot. */
  readonly heightOf: (value: number) => number;
}

/** Creates the scale of the values of a chart, the greatest of which is given. It ends at a round number. */
export function valueScale(most: number, height: number, data: ChartData): ValueScale {
  const format = formatOf(data);
  const [, end] = nice(0, most > 0 ? most : 1, tickCount);
  const labels = new Set<string>();
  const shown = ticks(0, end, tickCount).filter((tick) => {
    // There is no half of an issue.
    if (isOfCounts(data) && !Number.isInteger(tick)) return false;
    // Two ticks with one label say nothing, such as two costs of less than a cent.
    const label = format(tick);
    return !labels.has(label) && labels.add(label);
  });
  const longest = Math.max(...[...labels].map((label) => label.length));
  return {
    ticks: shown,
    left: Math.ceil(longest * characterWidth) + 8,
    heightOf: (value) => (value / end) * height,
  };
}

export interface BandScale {
  readonly step: number;
  readonly width: number;
  /** Returns where a bar begins. */
  readonly startOf: (index: number) => number;
  /** Reports whether there is room for the name under a bar. The last one always has its name. */
  readonly hasName: (index: number) => boolean;
}

const maxBarWidth = 72;

/** Creates the scale of the bars between two positions. */
export function bandScale(names: readonly string[], from: number, to: number): BandScale {
  const longest = Math.max(0, ...names.map((name) => name.length)) * characterWidth;
  const count = Math.max(1, names.length);
  // Room for the half of the last name that is wider than its bar.
  const room = Math.max(0, (longest - (to - from) / count) / 2);
  const step = Math.max(1, to - from - room) / count;
  const width = Math.min(maxBarWidth, step > 4 ? step * 0.72 : step * 0.9);
  const every = Math.max(1, Math.ceil((longest + 12) / step));
  return {
    step,
    width,
    startOf: (index) => from + index * step + (step - width) / 2,
    hasName: (index) => (names.length - 1 - index) % every === 0,
  };
}
