import { type IssuePeriod, issuePeriods } from '../../../../src/contract/vocabulary.ts';
import { type Scroll, Scrolled } from '../../components/scrolled.tsx';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { picker, theme } from '../../theme.ts';
import { type ChartData, chartLines } from './lines.ts';

export const chartPeriods = Object.keys(issuePeriods) as IssuePeriod[];
const periodNames = Object.values(issuePeriods);

export interface ChartsState {
  readonly period: IssuePeriod;
  /** The newest data, possibly of a period that is no longer chosen. */
  readonly loaded: (ChartData & { readonly period: IssuePeriod }) | null;
  readonly error: string;
}

export interface ChartsParts {
  readonly store: Store<ChartsState>;
  readonly scroll: Scroll;
}

/** Shows the charts of the chosen period. */
export function chartsView({ store, scroll }: ChartsParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const { period, loaded, error } = useStore(store);
    const head = picker(periodNames, chartPeriods.indexOf(period));
    const lines =
      loaded?.period === period
        ? chartLines(loaded, width)
        : [error === '' ? theme.quiet('    Loading…') : `    ✗ ${error}`];
    return <Scrolled scroll={scroll} head={head} lines={lines} width={width} height={height} />;
  };
}
