import { eventTypes } from '../../../src/contract/event-types.ts';
import { wordOf } from '../app/search-params.ts';
import { boundsOf, dayOf, type Period, periodWords } from '../parts/time/period.ts';
import type { Delivery, DeliveryFilter } from './webhook-queries.ts';
import type { WebhookSearch } from './webhook-search.ts';

/** The statuses of deliveries in words. */
export const statusWords: Readonly<Record<Delivery['status'], string>> = {
  pending: 'Pending',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

const statuses = Object.keys(statusWords);

/** Returns the time of an address. */
export function deliveryPeriod({ when, from, to }: WebhookSearch): Period {
  return { when: wordOf(periodWords, when), from: dayOf(from), to: dayOf(to) };
}

/** Returns the event of an address. */
export const eventOf = ({ event }: WebhookSearch) => wordOf(eventTypes, event);

/** Returns the filter of an address. */
export function deliveryFilter(search: WebhookSearch): DeliveryFilter {
  const type = eventOf(search);
  const status = wordOf(statuses, search.status);
  return {
    webhook_id: search.webhook,
    ...(search.q === undefined ? {} : { q: search.q }),
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
    ...boundsOf(deliveryPeriod(search)),
  };
}
