import type { Webhook } from './webhook-queries.ts';

/** Returns what people call a webhook: its description, or else its address. */
export function nameOfWebhook({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description.trim() === '' ? url : description;
}

/** Returns the state of a webhook in a word. */
export function stateOf({ is_active, failing_since }: Webhook): 'Active' | 'Failing' | 'Inactive' {
  if (is_active !== 1) return 'Inactive';
  return failing_since === null ? 'Active' : 'Failing';
}

/** Returns the events of a webhook in a few words. */
export function eventsInWords(events: readonly string[]): string {
  if (events.length === 0) return 'All events';
  const rest = events.length - 2;
  return `${events.slice(0, 2).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
