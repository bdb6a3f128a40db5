import type { OutputOf } from '../../../../src/contract/registry.ts';
import { grouped } from '../../../terminal/number.ts';
import { ageColumn } from '../../components/age-column.ts';
import { Table, type TableColumn } from '../../components/table.tsx';
import { connectHint } from '../../keys/key-hints.ts';
import { createList, type List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Size } from '../../state/screen-types.ts';
import { useStore } from '../../state/store.ts';
import { duration } from '../../text/age.ts';
import { statusPaint, theme } from '../../theme.ts';

export type ScrapingRunRow = OutputOf<'scrapingRuns.list'>['runs'][number];

export function createRunList(app: App): List<ScrapingRunRow> {
  return createList<ScrapingRunRow>({
    async load(cursor, limit) {
      const page = await app.call('scrapingRuns.list', { limit, ...(cursor === null ? {} : { cursor }) });
      return { rows: page.runs, nextCursor: page.nextCursor ?? null };
    },
    keyOf: ({ run_id }) => run_id,
    timeOf: ({ started_at }) => started_at,
    explain: app.explain,
    now: app.now,
  });
}

export interface ScrapingRunsProps extends Size {
  readonly app: App;
  readonly list: List<ScrapingRunRow>;
}

/** Shows the scraping runs, newest start first. */
export function ScrapingRunsView({ app, list, width, height }: ScrapingRunsProps) {
  const { now } = useStore(app.store);
  return (
    <Table
      list={list}
      columns={scrapingRunTableColumns(now)}
      keyOf={({ run_id }) => run_id}
      width={width}
      height={height}
      empty={['No scraping runs yet.', connectHint]}
    />
  );
}

function scrapingRunTableColumns(now: number): readonly TableColumn<ScrapingRunRow>[] {
  const number = (
    heading: string,
    of: (run: ScrapingRunRow) => number,
    more: Partial<TableColumn<ScrapingRunRow>> = {},
  ): TableColumn<ScrapingRunRow> => ({
    heading,
    value: (run) => grouped(of(run)),
    width: Math.max(7, heading.length),
    align: 'right',
    ...more,
  });
  const badIfAny = (of: (run: ScrapingRunRow) => number) => (run: ScrapingRunRow) =>
    of(run) > 0 ? theme.bad : theme.quiet;
  return [
    ageColumn(({ started_at }) => started_at, now, { heading: 'age', width: 4 }),
    {
      heading: 'status',
      value: ({ status }) => status,
      width: 9,
      paint: ({ status }) => statusPaint(status),
    },
    { heading: 'source', value: ({ source }) => source, width: 'rest' },
    { heading: 'run', value: ({ run_id }) => run_id, width: 'rest', dropAs: 5, paint: () => theme.quiet },
    number('pages', ({ pages_succeeded }) => pages_succeeded, { dropAs: 2 }),
    number('failed', ({ pages_failed }) => pages_failed, {
      dropAs: 3,
      paint: badIfAny(({ pages_failed }) => pages_failed),
    }),
    number('blocked', ({ pages_blocked }) => pages_blocked, { dropAs: 4 }),
    number('items', ({ items_scraped }) => items_scraped, { dropAs: 1 }),
    number('errors', ({ errors }) => errors, { paint: badIfAny(({ errors }) => errors) }),
    {
      heading: 'took',
      value: ({ started_at, finished_at }) => (finished_at === null ? '' : duration(started_at, finished_at)),
      width: 5,
      align: 'right',
      dropAs: 6,
      paint: () => theme.quiet,
    },
  ];
}
