import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { reloadSoon } from '../app/data/reload.ts';

export type Webhook = OutputOf<'webhooks.list'>['webhooks'][number];
export type Delivery = OutputOf<'webhooks.deliveries'>['deliveries'][number];
export type DeliveryFilter = Pick<
  InputOf<'webhooks.deliveries'>,
  'webhook_id' | 'status' | 'type' | 'q' | 'since' | 'until'
>;

const pageSize = 200;
const pendingMs = 2_000;

/** The webhooks, the oldest first. */
export function webhooksQuery(q?: string) {
  return queryOptions({
    queryKey: ['webhooks', 'list', q],
    queryFn: async ({ signal }) => (await client.call('webhooks.list', { q }, signal)).webhooks,
    placeholderData: (before) => before,
  });
}

/** The deliveries of a filter, page by page, newest first. */
export function deliveriesQuery(filter: DeliveryFilter) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('webhooks.deliveries', { ...filter, limit: pageSize, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** How many deliveries a filter finds. */
export function deliveryCountQuery(filter: DeliveryFilter) {
  return queryOptions({
    queryKey: ['webhooks', 'count', filter],
    queryFn: async ({ signal }) => {
      const input = { ...filter, limit: 1, count: '1' } as const;
      return (await client.call('webhooks.deliveries', input, signal)).total ?? 0;
    },
  });
}

/** The latest deliveries to a webhook, whatever the filter of the list. */
export function latestDeliveriesQuery(webhook_id: DeliveryFilter['webhook_id'], limit: number) {
  return queryOptions({
    queryKey: ['webhooks', 'count', 'latest', webhook_id],
    queryFn: async ({ signal }) =>
      (await client.call('webhooks.deliveries', { webhook_id, limit }, signal)).deliveries,
  });
}

/** One delivery; null if there is none with that id. It is loaded again until it is finished. */
export function deliveryQuery(id: number) {
  return queryOptions({
    queryKey: ['webhooks', 'delivery', id],
    queryFn: async ({ signal }) => {
      const { deliveries } = await client.call('webhooks.deliveries', { id, limit: 1 }, signal);
      return deliveries[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? pendingMs : false),
  });
}

/** Loads everything of webhooks again. */
export async function reloadWebhooks(): Promise<void> {
  void queryClient.resetQueries({ queryKey: ['webhooks', 'deliveries'] });
  await Promise.all(
    ['list', 'count', 'delivery'].map((part) =>
      queryClient.invalidateQueries({ queryKey: ['webhooks', part] }),
    ),
  );
}

/** Brings what is shown of webhooks up to date. */
export function receiveWebhookEvent({ type }: EventOrGap): void {
  // Any event may be sent to a webhook.
  reloadSoon(['webhooks', 'count']);
  if (type.startsWith('webhook.')) void queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] });
}
