import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import {
  type Delivery,
  type DeliveryFilter,
  deliveryCountQuery,
  latestDeliveriesQuery,
} from './webhook-queries.ts';

/** Between two looks at deliveries that are due, and at those that wait for another attempt. */
const pauses = { due: 2_000, later: 15_000 };
/** How many of the first rows are watched. */
const watched = 100;

/**
 * Returns how many deliveries of a filter were made since its list was loaded, and a function that lays what has become of
 * those that were pending over their rows.
 */
export function useNewDeliveries(filter: DeliveryFilter, rows: readonly Delivery[]) {
  const newest = rows[0]?.created_at;
  const since = newest ?? filter.since;
  const { data: found = 0 } = useQuery({
    ...deliveryCountQuery({ ...filter, ...(since === undefined ? {} : { since }) }),
    placeholderData: keepPreviousData,
  });
  // Those of the same millisecond are in the list already.
  const known = rows.filter(({ created_at }) => created_at === newest).length;

  const pending = rows.slice(0, watched).filter(({ status }) => status === 'pending');
  const { data: latest } = useQuery({
    ...latestDeliveriesQuery(filter.webhook_id, watched),
    enabled: pending.length > 0,
    refetchInterval: ({ state }) => pauseOf(state.data ?? []),
  });
  const byId = useMemo(() => new Map(latest?.map((each) => [each.id, each])), [latest]);
  const patch = useCallback((row: Delivery) => byId.get(row.id) ?? row, [byId]);
  return { waiting: Math.max(0, found - known), patch };
}

function pauseOf(deliveries: readonly Delivery[]): number | false {
  const pending = deliveries.filter(({ status }) => status === 'pending');
  if (pending.length === 0) return false;
  return pending.some(({ attempts }) => attempts === 0) ? pauses.due : pauses.later;
}
