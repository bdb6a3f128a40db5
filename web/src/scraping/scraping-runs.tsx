import { Button, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { runStatuses } from '../../../src/contract/vocabulary.ts';
import { ConnectLink } from '../parts/connect-link.tsx';
import { Failure } from '../parts/failure.tsx';
import { CsvButton } from '../parts/files/csv-button.tsx';
import { SearchField } from '../parts/inputs/search-field.tsx';
import { WordsFilter } from '../parts/inputs/words-filter.tsx';
import { Note } from '../parts/note.tsx';
import { Count, FilterBar } from '../parts/page/page.tsx';
import { DataGridSkeleton } from '../parts/table/data-grid/data-grid-skeleton.tsx';
import { DataGrid } from '../parts/table/data-grid.tsx';
import { useLoadMore } from '../parts/table/use-load-more.ts';
import { type RunRow, runColumns } from './run-columns.tsx';
import { runLines } from './run-lines.ts';
import { runStatusWords } from './run-status.tsx';
import styles from './scraping-page.module.css';
import { latestRunsQuery, type RunFilter, reloadRuns, runsQuery } from './scraping-queries.ts';
import type { ScrapingSearch } from './scraping-search.ts';

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
      <FilterBar>
        <SearchField label="Search runs" text={q} onChange={(text) => onChange({ q: text })} />
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
        <WordsFilter
          label="Status"
          choices={runStatuses.map((value) => ({ value, label: runStatusWords[value] }))}
          chosen={status}
          onChange={(chosen) => onChange({ status: chosen })}
          className={styles.pick}
        />
        {span ? <RunCount filter={{ ...span, q, source, status }} /> : noCount}
        <CsvButton
          label="Runs"
          file="runs"
          lines={span && (() => runLines({ ...span, q, source, status }))}
        />
      </FilterBar>
      {span ? (
        <List filter={{ ...span, q, source, status }} search={search} onChange={onChange} />
      ) : (
        <DataGridSkeleton columns={runColumns} />
      )}
    </>
  );
}

/** Keeps its place until it is known. */
const noCount = <Count count={undefined} noun="run" />;

/** How many runs there are, and how many have come since the list was loaded. They join it on demand. */
function RunCount({ filter }: { readonly filter: RunFilter }) {
  const { data: latest } = useQuery({ ...latestRunsQuery(filter), enabled: false });
  const { data: list } = useInfiniteQuery(runsQuery(filter));
  if (latest?.total === undefined || list === undefined) return noCount;
  const loaded = new Set(list.pages.flatMap(({ runs }) => runs.map(({ run_id }) => run_id)));
  const newest = list.pages[0]?.runs[0]?.started_at ?? '';
  const added = latest.runs.filter(
    ({ run_id, started_at }) => started_at >= newest && !loaded.has(run_id),
  ).length;
  return (
    <>
      <Count count={latest.total} noun="run" />
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
  const rows = useMemo<readonly RunRow[]>(() => {
    const current = new Map(latest?.runs.map((run) => [run.run_id, run]));
    return (list.data?.pages ?? []).flatMap(({ runs }) =>
      runs.map((run) => ({ ...run, ...current.get(run.run_id), id: run.run_id })),
    );
  }, [list.data, latest]);
  const loadMore = useLoadMore(list);
  if (list.isError && rows.length === 0)
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending) return <DataGridSkeleton columns={runColumns} />;
  if (rows.length === 0) return <NoRuns search={search} onChange={onChange} />;
  return (
    <DataGrid
      label="Runs"
      listKey={JSON.stringify(filter)}
      columns={runColumns}
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
    return (
      <Note title="No runs in this month">
        Scrapers report their runs to the API. <ConnectLink />
      </Note>
    );
  const clear = () => onChange({ q: undefined, source: undefined, status: undefined });
  return <Note title="No run matches" action={{ label: 'Clear the filters', run: clear }} />;
}
