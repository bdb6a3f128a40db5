import { deliveries as deliveryNoun, webhooks as noun } from '../../../src/contract/fields/webhooks.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import type { FilterOf } from '../kit/address.ts';
import { resource } from '../kit/resource.ts';
import { Mark } from '../parts/mark.tsx';
import { DayMoment, Moment } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { formatCount, inWords } from '../parts/words.ts';

export type Webhook = OutputOf<'webhooks.list'>['webhooks'][number];
export type Delivery = OutputOf<'webhooks.deliveries'>['deliveries'][number];
type WebhookChange = Omit<InputOf<'webhooks.update'>, 'id' | 'expected'>;
type DeliveryFilter = FilterOf<typeof deliveryNoun> & { readonly webhook_id?: string | undefined };

export const webhooks = resource<Webhook, { readonly q?: string | undefined }, WebhookChange>({
  noun,
  isWhole: true,
  columns: [
    {
      field: 'description',
      title: 'Webhook',
      phone: 'title',
      cell: (webhook) => <bdi>{nameOfWebhook(webhook)}</bdi>,
    },
    {
      field: 'url',
      title: 'Address',
      from: 'medium',
      cell: ({ url, description }) => (
        <span className={sheet.quiet} title={url}>
          {description.trim() !== '' && url}
        </span>
      ),
    },
    {
      field: 'events',
      width: 'minmax(160px, 0.6fr)',
      cell: ({ events }) => <span title={events.join(', ')}>{eventsInWords(events)}</span>,
    },
    {
      field: 'is_active',
      title: 'State',
      phone: 'start',
      width: '224px',
      cell: (webhook) => <WebhookState webhook={webhook} />,
    },
  ],
  async read({ q }, _part, signal) {
    const answer = await client.call('webhooks.list', { q }, signal);
    // Answers leave out what is off.
    return { rows: answer.webhooks.map((webhook) => ({ include_content: false, ...webhook })) };
  },
  async update(id, set, expected) {
    await client.call('webhooks.update', { id, ...set, expected });
  },
});

/** What was sent to webhooks. Any event may be sent to one, so each may mean a new delivery. */
export const deliveries = resource<Delivery, DeliveryFilter>({
  noun: deliveryNoun,
  hasPeriod: true,
  changedBy: () => [],
  columns: [
    {
      field: 'created_at',
      width: '152px',
      phone: 'end',
      sorts: false,
      cell: ({ created_at: at }) => <DayMoment at={at} />,
    },
    {
      field: 'status',
      width: '112px',
      phone: 'start',
      cell: (delivery) => <Mark word={statusOf(delivery)} />,
    },
    {
      field: 'type',
      width: '208px',
      phone: 'title',
      cell: ({ type, replay_of }) => (
        <>
          {inWords(type)}
          {replay_of !== null && <span className={sheet.quiet}> · again</span>}
        </>
      ),
    },
    {
      field: 'error',
      title: 'Result',
      from: 'narrow',
      cell: ({ response_status, error }) => (
        <bdi className={sheet.quiet} title={error ?? undefined}>
          {error ?? response_status ?? ''}
        </bdi>
      ),
    },
    { field: 'attempts', from: 'medium' },
    {
      field: 'duration_ms',
      title: 'Duration',
      from: 'medium',
      width: '96px',
      isNumber: true,
      cell: ({ duration_ms: ms }) => durationOf(ms),
    },
  ],
  async read(filter, part, signal) {
    const page = await client.call('webhooks.deliveries', { ...filter, ...part }, signal);
    return { rows: page.deliveries, next: page.nextCursor ?? undefined, total: page.total };
  },
});

/** Returns what people call a webhook: its description, or else its address. */
export function nameOfWebhook({ description, url }: Webhook): string {
  return description.trim() === '' ? url : description;
}

/** Returns the events of a webhook in a few words. */
export function eventsInWords(events: readonly string[]): string {
  if (events.length === 0) return 'All events';
  const rest = events.length - 2;
  return `${events.slice(0, 2).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns the status of a delivery in a word. One that has failed, but is tried again, is not merely pending. */
export function statusOf({ status, attempts }: Delivery): string {
  return status === 'pending' && attempts > 0 ? 'Retrying' : inWords(status);
}

export const durationOf = (ms: number | null) => (ms === null ? '' : `${formatCount(ms)} ms`);

/** Whether a webhook works, and since when it does not. */
export function WebhookState({ webhook: { is_active, failing_since } }: { readonly webhook: Webhook }) {
  if (is_active !== 1) return <Mark word="Inactive" />;
  if (failing_since === null) return <Mark word="Active" />;
  return (
    <span>
      <Mark word="Failing" />{' '}
      <span className={sheet.quiet}>
        since <Moment at={failing_since} />
      </span>
    </span>
  );
}
