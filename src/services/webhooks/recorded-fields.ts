import type { EventData } from '../../contract/events/data.ts';
import type { WebhookFields } from '../../db/tables/webhooks/webhooks.ts';

/** Returns what may be recorded of a webhook: only the origin of its URL, because such URLs often are secrets. */
export function recordedWebhook({
  url,
  events,
  description,
  is_active,
}: WebhookFields): EventData<'webhook.created'> {
  return { origin: new URL(url).origin, events, description, is_active };
}
