import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazyPart } from '../app/lazy-part.ts';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import { Table } from '../kit/table.tsx';
import { Choice } from '../parts/choice.tsx';
import { MonthPicker } from '../parts/months.tsx';
import { ConnectLink } from '../parts/note.tsx';
import { drawerPlace, FilterBar, Page, PageContent } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { runs, scrapingQuery } from './scraping-queries.ts';
import { ScrapingSummary } from './scraping-summary.tsx';

/* The figures are the first view. */
const loading = () => <Skeleton height={160} data-loading />;
const ScrapingErrors = lazyPart(() => import('./scraping-errors.tsx'), 'ScrapingErrors', loading);
const RunDrawer = lazyPart(() => import('./scraping-errors.tsx'), 'RunDrawer', drawerPlace);

const route = getRouteApi('/signed-in/scraping');
const views = { summary: 'Summary', runs: 'Runs', errors: 'Errors' } as const;

const empty = {
  title: 'No runs in this month',
  text: ['Scrapers report their runs to the API. ', <ConnectLink key="connect" />],
};

/** Shows the scraping runs of a month: in figures, one by one, and their errors. */
export function ScrapingPage() {
  const { month, view = 'summary' } = route.useSearch();
  const { data } = useQuery(scrapingQuery(month));
  const go = useGo();
  return (
    <Page
      title="Scraping"
      bar={
        <>
          <MonthPicker
            month={month}
            timeZone={data?.scraping.timezone}
            onChange={(next) => go({ month: next })}
          />
          <Choice
            label="View"
            words={views}
            chosen={view}
            onChoose={(next) => go({ view: next === 'summary' ? undefined : next, run: undefined })}
          />
        </>
      }
    >
      {view === 'summary' && <ScrapingSummary />}
      {view === 'runs' && <Runs />}
      {view === 'errors' && (
        <PageContent className={sheet.stack}>
          <ScrapingErrors filter={{ month }} />
        </PageContent>
      )}
    </Page>
  );
}

/** Lists the runs of a month, and shows one of them beside the list. */
function Runs() {
  const { month, q, source, status, sort, run } = route.useSearch();
  const list = useList(runs, { month, q, source, status, sort });
  const { data } = useQuery(scrapingQuery(month));
  const sources = data?.scraping.bySource.map((each) => each.source) ?? [];
  const suggest = { source: { queryKey: ['scraping', 'sources', sources], queryFn: () => sources } };
  return (
    <>
      <FilterBar>
        <Filters list={{ ...list, resource: { ...runs, suggest } }} hasCsv />
      </FilterBar>
      <Table
        // The month is no filter that one clears.
        list={{ ...list, filter: { q, source, status, sort } }}
        href={({ id }) => ({ run: id })}
        current={run}
        empty={empty}
      />
      {run !== undefined && <RunDrawer list={list} id={run} />}
    </>
  );
}
