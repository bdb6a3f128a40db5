import { Button, MultiSelect, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { runStatuses } from '../../../src/contract/vocabulary.ts';
import { Failure } from '../parts/failure.tsx';
import { CsvButton } from '../parts/files/csv-button.tsx';
import { Note } from '../parts/note.tsx';
import { counted, formatCount } from '../parts/numbers.ts';
import { SearchField } from '../parts/search-field.tsx';
import { DataGridSkeleton } from '../parts/table/data-grid/data-grid-skeleton.tsx';
import { type Column, DataGrid } from '../parts/table/data-grid.tsx';
import { formatDuration } from '../parts/time/durations.ts';
import { Moment } from '../parts/time/moment.tsx';
import { runLines } from './run-lines.ts';
import { RunStatusMark, runStatusWords } from './run-status.tsx';
import styles from './scraping-page.module.css';
import {
  latestRunsQuery,
  type RunFilter,
  reloadRuns,
  runsQuery,
  type ScrapingRun,
} from './scraping-queries.ts';
import type { ScrapingSearch } from './scraping-search.ts';

type Row = ScrapingRun & { readonly id: string };

const number = (count: number) => <span className={styles.number}>{formatCount(count)}</span>;

const columns: readonly Column<Row>[] = [
  { title: 'Started', width: '170px', phone: 'end', cell: ({ started_at }) => <Moment at={started_at} /> },
  { title: 'Source', width: 'minmax(140px, 1fr)', phone: 'title', cell: ({ source }) => source },
  { title: 'Run', width: 'minmax(140px, 1fr)', phone: 'hidden', cell: ({ run_id }) => run_id },
  {
    title: 'Status',
    width: '110px',
    phone: 'start',
    cell: ({ status }) => <RunStatusMark status={status} />,
  },
  { title: 'Duration', width: '110px', phone: 'hidden', cell: (run) => durationOf(run) },
  { title: 'Pages', width: '80px', phone: 'hidden', cell: ({ pages_succeeded }) => number(pages_succeeded) },
  { title: 'Items', width: '80px', phone: 'hidden', cell: ({ items_scraped }) => number(items_scraped) },
  { title: 'Errors', width: '80px', phone: 'hidden', cell: ({ errors }) => number(errors) },
];

/** Returns how long a run took, or nothing if its end is not known. */
export function durationOf({ started_at, finished_at }: ScrapingRun): string {
  return finished_at === null ? '' : formatDuration(Date.parse(finished_at) - Date.parse(started_at));
}

interface ScrapingRunsProps {
  /** The time of the month, once it is known. */
  readonly span: Pick<RunFilter, 'since' | 'until'> | undefined;
  readonly search: ScrapingSearch;
  readonly sources: readonly string[];
  readonly onChange: (part: Partial<ScrapingSearch>) => void;
}

/** The runs of a month, as a table of any length with its filters. */
export function ScrapingRuns({ span, search, sources, onChange }: ScrapingRunsProps) {
  const { q, source, status } = search;
  return (
    <>
      <div className={styles.filters}>
        <SearchField
          label="Search runs"
          text={q}
          className={styles.search}
          onChange={(text) => onChange({ q: text })}
        />
        <Select
          aria-label="Source"
          placeholder="Source"
          data={[...new Set([...sources, ...(source === undefined ? [] : [source])])]}
          value={source ?? null}
          onChange={(chosen) => onChange({ source: chosen ?? undefined })}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': 'Any source' }}
          className={styles.pick ?? ''}
        />
        <MultiSelect
          aria-label="Status"
          placeholder={status === undefined ? 'Status' : ''}
          data={runStatuses.map((value) => ({ value, label: runStatusWords[value] }))}
          value={status?.split(',') ?? []}
          onChange={(chosen) => onChange({ status: chosen.length === 0 ? undefined : chosen.join(',') })}
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          className={styles.pick ?? ''}
        />
        {span && <Count filter={{ ...span, q, source, status }} />}
        <CsvButton
          label="Runs"
          file="runs"
          lines={span && (() => runLines({ ...span, q, source, status }))}
        />
      </div>
      {span ? (
        <List filter={{ ...span, q, source, status }} search={search} onChange={onChange} />
      ) : (
        <DataGridSkeleton columns={columns} />
      )}
    </>
  );
}

/** How many runs there are, and how many have come since the list was loaded. They join it on demand. */
function Count({ filter }: { readonly filter: RunFilter }) {
  const { data: latest } = useQuery({ ...latestRunsQuery(filter), enabled: false });
  const { data: list } = useInfiniteQuery(runsQuery(filter));
  if (latest?.total === undefined || list === undefined) return null;
  const loaded = new Set(list.pages.flatMap(({ runs }) => runs.map(({ run_id }) => run_id)));
  const newest = list.pages[0]?.runs[0]?.started_at ?? '';
  const added = latest.runs.filter(
    ({ run_id, started_at }) => started_at >= newest && !loaded.has(run_id),
  ).length;
  return (
    <>
      <span className={styles.count} aria-live="polite">
        {counted(latest.total, 'run')}
      </span>
      {added > 0 && (
        <Button size="compact-sm" variant="light" onClick={reloadRuns}>
          {added} new
        </Button>
      )}
    </>
  );
}

interface ListProps {
  readonly filter: RunFilter;
  readonly search: ScrapingSearch;
  readonly onChange: ScrapingRunsProps['onChange'];
}

function List({ filter, search, onChange }: ListProps) {
  const list = useInfiniteQuery(runsQuery(filter));
  const { data: latest } = useQuery({ ...latestRunsQuery(filter), enabled: list.isSuccess });
  const rows = useMemo<readonly Row[]>(() => {
    const current = new Map(latest?.runs.map((run) => [run.run_id, run]));
    return (list.data?.pages ?? []).flatMap(({ runs }) =>
      runs.map((run) => ({ ...run, ...current.get(run.run_id), id: run.run_id })),
    );
  }, [list.data, latest]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (list.isError && rows.length === 0)
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending) return <DataGridSkeleton columns={columns} />;
  if (rows.length === 0) return <NoRuns search={search} onChange={onChange} />;
  return (
    <DataGrid
      label="Runs"
      listKey={JSON.stringify(filter)}
      columns={columns}
      rows={rows}
      total={latest?.total}
      current={search.run}
      onOpen={({ run_id }) => onChange({ run: run_id })}
      onNearEnd={loadMore}
    />
  );
}

function NoRuns({ search: { q, source, status }, onChange }: Pick<ListProps, 'search' | 'onChange'>) {
  if (q === undefined && source === undefined && status === undefined)
    return <Note title="No runs in this month">Scrapers report their runs to the API.</Note>;
  const clear = () => onChange({ q: undefined, source: undefined, status: undefined });
  return <Note title="No run matches" action={{ label: 'Clear the filters', run: clear }} />;
}
