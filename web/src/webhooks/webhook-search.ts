import { numberOf, type RawSearch, textOf } from '../app/search-params.ts';

/** What the webhooks page shows, as its address says. The page checks the words, which it loads with itself. */
export interface WebhookSearch {
  /** The dialog that is open; `new` without a webhook. */
  readonly dialog?: string | undefined;
  /** The webhook whose deliveries are shown. */
  readonly webhook?: number | undefined;
  readonly q?: string | undefined;
  /** The state and the event of the deliveries. */
  readonly status?: string | undefined;
  readonly event?: string | undefined;
  readonly when?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The delivery in the drawer. */
  readonly delivery?: number | undefined;
}

/** Reads the address of the webhooks page. */
export function webhookSearch(search: RawSearch): WebhookSearch {
  return {
    dialog: textOf(search.dialog),
    webhook: numberOf(search.webhook),
    q: textOf(search.q),
    status: textOf(search.status),
    event: textOf(search.event),
    when: textOf(search.when),
    from: textOf(search.from),
    to: textOf(search.to),
    delivery: numberOf(search.delivery),
  };
}
