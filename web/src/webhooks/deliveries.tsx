import { Button, SegmentedControl, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { eventGroups } from '../parts/event-types.ts';
import { Failure } from '../parts/failure.tsx';
import { SearchField } from '../parts/inputs/search-field.tsx';
import { Note } from '../parts/note.tsx';
import { formatCount } from '../parts/numbers.ts';
import { FilterBar } from '../parts/page/page.tsx';
import { DataGridSkeleton } from '../parts/table/data-grid/data-grid-skeleton.tsx';
import { DataGrid } from '../parts/table/data-grid.tsx';
import { useLoadMore } from '../parts/table/use-load-more.ts';
import { PeriodFilter } from '../parts/time/period-filter.tsx';
import { deliveryColumns } from './delivery-columns.tsx';
import { deliveryFilter, deliveryPeriod, eventOf, statusWords } from './delivery-words.ts';
import { useNewDeliveries } from './use-new-deliveries.ts';
import { deliveriesQuery, reloadWebhooks } from './webhook-queries.ts';
import type { WebhookSearch } from './webhook-search.ts';
import styles from './webhooks-page.module.css';

const DeliveryDrawer = lazyPart(() => import('./delivery-drawer.tsx'), 'DeliveryDrawer');

const route = getRouteApi('/signed-in/webhooks');

const statusChoices = [
  { value: '', label: 'All' },
  ...Object.entries(statusWords).map(([value, label]) => ({ value, label })),
];

/** What was sent to a webhook, and what came of it. */
export function Deliveries({ webhookId }: { readonly webhookId: number }) {
  const { delivery, dialog: _dialog, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const words = JSON.stringify(search);
  const filter = useMemo(() => deliveryFilter(search), [words]);
  const event = eventOf(search);
  const list = useInfiniteQuery(deliveriesQuery(filter));
  const rows = useMemo(() => (list.data?.pages ?? []).flatMap((page) => page.deliveries), [list.data]);
  const { waiting, patch } = useNewDeliveries(filter, rows);
  const change = (part: Partial<WebhookSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const open = (id: number | undefined) =>
    void navigate({ search: (before) => ({ ...before, delivery: id }) });
  const loadMore = useLoadMore(list);
  const isFiltered = Object.keys(filter).length > 1;

  return (
    <>
      <FilterBar>
        <SearchField label="Search deliveries" text={search.q} onChange={(q) => change({ q })} />
        <SegmentedControl
          aria-label="Status"
          data={statusChoices}
          value={String(filter.status ?? '')}
          onChange={(status) => change({ status: status === '' ? undefined : status })}
        />
        <Select
          aria-label="Event"
          placeholder="Any event"
          data={eventGroups}
          value={event ?? null}
          onChange={(next) => change({ event: next ?? undefined })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Any event' }}
          className={styles.pick ?? ''}
        />
        <PeriodFilter period={deliveryPeriod(search)} onChange={change} />
        {waiting > 0 && (
          <Button size="compact-sm" variant="light" onClick={() => void reloadWebhooks()}>
            {formatCount(waiting)} new
          </Button>
        )}
      </FilterBar>
      {list.isPending && <DataGridSkeleton columns={deliveryColumns} />}
      {list.isError && rows.length === 0 && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && !list.hasNextPage && (
        <Note
          title={isFiltered ? 'No delivery matches' : 'Nothing was sent yet'}
          action={
            isFiltered
              ? {
                  label: 'Clear the filters',
                  run: () => void navigate({ search: { webhook: webhookId } }),
                }
              : undefined
          }
        >
          {isFiltered
            ? 'Deliveries are kept for 30 days.'
            : 'Each event that it gets is listed here, with the answer. Send a test message to try it.'}
        </Note>
      )}
      {list.isSuccess && (rows.length > 0 || list.hasNextPage) && (
        <DataGrid
          label="Deliveries"
          columns={deliveryColumns}
          rows={rows}
          patch={patch}
          current={delivery}
          onOpen={({ id }) => open(id)}
          onNearEnd={loadMore}
        />
      )}
      <Suspense>
        <DeliveryDrawer id={delivery} onClose={() => open(undefined)} />
      </Suspense>
    </>
  );
}
