import { numberOf, type RawSearch, textOf } from '../app/search-params.ts';
import { periodOf } from '../kit/address.ts';
import type { Period } from '../kit/period.ts';

/** What the webhooks page shows, as its address says. The page checks the words, which it loads with itself. */
export interface WebhookSearch extends Period {
  /** The dialog that is open: `new`, or `edit` or `failed` with the id of a webhook, such as `edit-7`. */
  readonly dialog?: string | undefined;
  /** The webhook whose deliveries are shown. */
  readonly webhook?: number | undefined;
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  /** The delivery in the drawer. */
  readonly delivery?: number | undefined;
}

/** Reads the address of the webhooks page. Older ones have the type of the deliveries in `event`. */
export function webhookSearch(search: RawSearch): WebhookSearch {
  return {
    dialog: textOf(search.dialog),
    webhook: numberOf(search.webhook),
    q: textOf(search.q),
    status: textOf(search.status),
    type: textOf(search.type) ?? textOf(search.event),
    ...{ event: undefined },
    ...periodOf(search),
    delivery: numberOf(search.delivery),
  };
}
