import { scrapingRunSorts } from '../../../src/contract/fields/sorts.ts';
import { runStatuses, sortsOf } from '../../../src/contract/vocabulary.ts';
import { type RawSearch, textOf, wordOf, wordsOf } from '../app/search-params.ts';
import { type Month, monthOf } from '../parts/months.tsx';

/** What the scraping page shows, as its address says. */
export interface ScrapingSearch {
  /** Absent for the current month. */
  readonly month?: Month | undefined;
  /** Absent for the summary. */
  readonly view?: 'runs' | 'errors' | undefined;
  /** Absent for the results. */
  readonly by?: 'source' | undefined;
  readonly q?: string | undefined;
  readonly source?: string | undefined;
  readonly status?: string | undefined;
  readonly sort?: 'started_at' | '-started_at' | undefined;
  /** The run in the drawer, which is beside the runs. */
  readonly run?: string | undefined;
}

/** Reads the address of the scraping page, and ignores what it does not know. */
export function scrapingSearch(search: RawSearch): ScrapingSearch {
  const run = textOf(search.run);
  return {
    month: monthOf(search.month),
    view: run === undefined ? wordOf(['runs', 'errors'], search.view) : 'runs',
    by: wordOf(['source'], search.by),
    q: textOf(search.q),
    source: textOf(search.source),
    status: wordsOf(runStatuses, search.status),
    sort: wordOf(sortsOf(scrapingRunSorts), search.sort),
    run,
  };
}
