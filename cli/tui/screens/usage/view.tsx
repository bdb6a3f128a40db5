import type { OutputOf } from '../../../../src/contract/registry.ts';
import { Lines } from '../../components/lines.tsx';
import { type Scroll, Scrolled } from '../../components/scrolled.tsx';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { picker, theme } from '../../theme.ts';
import { type ScrapingErrorRow, ScrapingErrorsView } from './scraping-errors.tsx';
import { scrapingLines } from './scraping-lines.ts';
import { type ScrapingRunRow, ScrapingRunsView } from './scraping-runs.tsx';
import { tokenLines } from './token-lines.ts';

/** The parts of the screen. One is visible at a time. */
export const usagePartNames = ['Tokens and cost', 'Scraping', 'Runs', 'Errors'] as const;
export type UsagePart = (typeof usagePartNames)[number];

export interface UsageState {
  readonly part: UsagePart;
  readonly analytics: OutputOf<'settings.show'> | null;
}

export interface UsageParts {
  readonly store: Store<UsageState>;
  readonly scroll: Scroll;
  readonly runs: List<ScrapingRunRow>;
  readonly errors: List<ScrapingErrorRow>;
}

/** Shows the visible part, below the names of all parts. */
export function usageView(app: App, { store, scroll, runs, errors }: UsageParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const { part, analytics } = useStore(store);
    const { error } = useStore(errors.store);
    const { now } = useStore(app.store);
    const head = picker(usagePartNames, usagePartNames.indexOf(part));
    if (part === 'Runs' || part === 'Errors') {
      const size = { app, width, height: height - 2 };
      return (
        <>
          <Lines lines={[head, '']} height={2} />
          {part === 'Runs' ? (
            <ScrapingRunsView list={runs} {...size} />
          ) : (
            <ScrapingErrorsView list={errors} {...size} />
          )}
        </>
      );
    }
    const lines =
      analytics === null
        ? [error === '' ? theme.quiet('    Loading…') : `    ✗ ${error}`]
        : part === 'Tokens and cost'
          ? tokenLines(analytics, width)
          : scrapingLines(analytics.scraping, width, now);
    return <Scrolled scroll={scroll} head={head} lines={lines} width={width} height={height} />;
  };
}
