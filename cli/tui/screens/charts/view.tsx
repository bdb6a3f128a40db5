import type { IssuePeriod } from '../../../../src/contract/vocabulary.ts';
import { counted } from '../../../terminal/number.ts';
import { type Scroll, Scrolled } from '../../components/scrolled.tsx';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { theme } from '../../theme.ts';
import { type ChartData, chartLines } from './lines.ts';

export interface ChartsState {
  /** The period of the ages. */
  readonly period: IssuePeriod;
  /** The newest data. Its ages are possibly of a period that is no longer chosen. */
  readonly loaded: ChartData | null;
  readonly error: string;
}

export interface ChartsParts {
  readonly store: Store<ChartsState>;
  readonly scroll: Scroll;
}

/** The line above the charts and the empty one below it. */
const headRows = 2;

/** Shows the charts. */
export function chartsView({ store, scroll }: ChartsParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const { period, loaded, error } = useStore(store);
    const total = loaded?.statistics.totalIssues;
    const head = total === undefined ? '' : `  ${theme.quiet(`${counted(total, 'issue')} in all`)}`;
    const lines =
      loaded === null
        ? [error === '' ? theme.quiet('    Loading…') : `    ✗ ${error}`]
        : chartLines(loaded, { period, error }, { width, height: height - headRows });
    return <Scrolled scroll={scroll} head={head} lines={lines} width={width} height={height} />;
  };
}
