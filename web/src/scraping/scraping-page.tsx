import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { Failure } from '../parts/failure.tsx';
import { Page, PageContent } from '../parts/page/page.tsx';
import { MonthPicker } from '../parts/time/month-picker.tsx';
import styles from './scraping-page.module.css';
import { type LinkedError, type ScrapingDay, scrapingQuery } from './scraping-queries.ts';
import type { ScrapingSearch } from './scraping-search.ts';
import { ScrapingSummary } from './scraping-summary.tsx';

/* The figures are the first view. */
const ScrapingRuns = lazyPart(() => import('./scraping-runs.tsx'), 'ScrapingRuns');
const ScrapingErrors = lazyPart(() => import('./scraping-errors.tsx'), 'ScrapingErrors');
const RunDrawer = lazyPart(() => import('./run-drawer.tsx'), 'RunDrawer');
const ReportError = lazyPart(() => import('./report-error.tsx'), 'ReportError');

const route = getRouteApi('/signed-in/scraping');

/** Shows the scraping runs of a month: in figures, one by one, and their errors. */
export function ScrapingPage() {
  const search = route.useSearch();
  const { month, view = 'summary', by = 'result', run } = search;
  const navigate = route.useNavigate();
  const [reported, setReported] = useState<LinkedError>();
  const { data, error, isPlaceholderData, refetch } = useQuery(scrapingQuery(month));
  const span = isPlaceholderData || data === undefined ? undefined : spanOf(data.days, month);
  const change = (part: Partial<ScrapingSearch>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace });
  return (
    <Page
      title="Scraping"
      bar={
        <MonthPicker
          month={month}
          timeZone={data?.scraping.timezone}
          onChange={(next) => change({ month: next })}
        />
      }
    >
      {error && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Tabs
          value={view}
          onChange={(next) => change({ view: next === 'summary' ? undefined : (next as 'runs' | 'errors') })}
          keepMounted={false}
          className={styles.tabs ?? ''}
        >
          <Tabs.List className={styles.tabList ?? ''}>
            <Tabs.Tab value="summary">Summary</Tabs.Tab>
            <Tabs.Tab value="runs">Runs</Tabs.Tab>
            <Tabs.Tab value="errors">Errors</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="summary" className={styles.panel ?? ''}>
            <ScrapingSummary
              scraping={data?.scraping}
              days={data?.days ?? []}
              isStale={isPlaceholderData}
              by={by}
              onBy={(next) => change({ by: next === 'result' ? undefined : next }, true)}
            />
          </Tabs.Panel>
          <Tabs.Panel value="runs" className={styles.panel ?? ''}>
            <Suspense>
              <ScrapingRuns
                span={span}
                search={search}
                sources={data?.scraping.bySource.map(({ source }) => source) ?? []}
                onChange={(part) => change(part, part.run === undefined)}
              />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="errors" className={styles.panel ?? ''}>
            <PageContent className={styles.content}>
              <Suspense>{span && <ScrapingErrors filter={span} onReport={setReported} />}</Suspense>
            </PageContent>
          </Tabs.Panel>
        </Tabs>
      )}
      <Suspense>
        {run !== undefined && (
          <RunDrawer id={run} onReport={setReported} onClose={() => change({ run: undefined })} />
        )}
        {reported && <ReportError error={reported} onClose={() => setReported(undefined)} />}
      </Suspense>
    </Page>
  );
}

/** Returns the time of a month, from its first day on. The current month has no end yet. */
function spanOf(days: readonly ScrapingDay[], month: ScrapingSearch['month']) {
  return { since: days.at(0)?.startsAt, until: month === undefined ? undefined : days.at(-1)?.endsAt };
}
