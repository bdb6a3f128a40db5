import type { EventType } from '../../src/contract/event-types.ts';
import { deliveries, deliveryOutcomes, webhooks as noun } from '../../src/contract/fields/webhooks.ts';
import { FailedError, UsageError } from '../errors.ts';
import { emitChange } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import { change } from '../verb/change.ts';
import { list, pages } from '../verb/list.ts';
import { argument, flag, maybe, number, option, parsed, text, time, word } from '../verb/parameters.ts';
import { throwNotFound } from '../verb/rows.ts';
import { calling, verbs } from '../verb/verb.ts';
import { type Webhook, webhook } from './kinds.ts';

const { url } = noun.fields;
const description = text('the purpose of the webhook');
const content = flag('send the texts of messages and issues too');

/** Takes types of events. The service validates them. */
const events = (about: string) =>
  parsed(about, 'types', (types) => (types === 'all' ? [] : types.split(',')) as EventType[]);

const stateTones = { active: 'good', failing: 'bad', inactive: 'quiet' } as const;

function stateOf({ is_active, failing_since }: Webhook): keyof typeof stateTones {
  if (is_active === 0) return 'inactive';
  return failing_since === null ? 'active' : 'failing';
}

/** Other services that receive events. */
export const webhooks = verbs('backoffice webhooks create https://example.com/hooks', {
  list: list('webhooks.list', 'webhooks', {
    about: 'list webhooks, without their secrets',
    of: noun,
    search: 'only if the URL, the events or the description contains these words',
    columns: [
      'id',
      'url',
      { heading: 'state', value: stateOf, tone: (row) => stateTones[stateOf(row)] },
      { heading: 'events', value: ({ events }) => events.join(' ') || 'all', cut: true },
      ['description', 2],
      ['created_at', 1],
    ],
    web: { page: 'webhooks' },
    examples: ['backoffice webhooks list --json id,url,failing_since'],
  }),

  create: change('webhooks.create', {
    about: 'create a webhook and show its secret once',
    params: {
      url: argument(option(url, 'the address that receives the messages')),
      events: events('only these event types: issue.created,issue.updated'),
      description,
      content,
    },
    input: ({ content: include_content, ...fields }) => ({ ...fields, include_content }),
    done: ({ webhook: { id }, secret }) => ({
      remark: `Created webhook ${id}. Its secret, shown only once:`,
      text: secret,
    }),
    examples: ['backoffice webhooks create https://example.com/hooks --events issue.created,message.created'],
  }),

  update: change('webhooks.update', {
    about: 'change a webhook, activate or deactivate it, or rotate its secret',
    of: webhook,
    params: {
      url: option(url, 'the new address that receives the messages'),
      events: events('only these event types, or all'),
      description,
      content,
      noContent: flag('send no texts'),
      activate: { ...flag('start sending messages'), excludes: ['deactivate'] },
      deactivate: flag('stop sending messages, and cancel pending deliveries'),
      rotateSecret: flag('create a new secret and show it once; the old one also signs for one more day'),
    },
    input: ({ content, noContent, activate, deactivate, rotateSecret, ...fields }, { id }) => ({
      id,
      ...fields,
      rotate_secret: rotateSecret,
      ...(content || noContent ? { include_content: content === true } : {}),
      ...(activate || deactivate ? { is_active: activate ? 1 : 0 } : {}),
    }),
    done: ({ secret }, { id }) =>
      secret === undefined
        ? `Changed webhook ${id}.`
        : { remark: `Changed webhook ${id}. Its new secret, shown only once:`, text: secret },
    examples: ['backoffice webhooks update 1 --events all --activate'],
  }),

  test: calling('webhooks.test', {
    about: 'send a message of the type webhook.tested to a webhook; exit code 1 if it is not accepted',
    params: { webhook: webhook.key },
    examples: ['backoffice webhooks test 1'],
    async run({ given: { webhook: id }, format, access }) {
      const tested = await access.call('webhooks.test', { id });
      const { delivery } = tested;
      if (delivery === null) return throwNotFound(noun, String(id));
      const { error, message_id, response_status, duration_ms } = delivery;
      await emitChange(tested, format, () => {
        if (error === null)
          print(`Delivered message ${message_id}: ${response_status} in ${duration_ms} ms.`);
      });
      if (error !== null) throw new FailedError(error);
    },
  }),

  deliveries: pages('webhooks.deliveries', 'deliveries', {
    about: 'list deliveries and their results, newest first',
    of: deliveries,
    params: { webhook: maybe({ ...webhook.key, about: 'only to the webhook with this number' }) },
    input: async ({ webhook: id }) => ({ webhook_id: id === undefined ? undefined : String(id) }),
    search: 'only if the message or error contains these words',
    columns: [
      'id',
      ['webhook_id', 1],
      ['message_id', 3],
      'type',
      'status',
      ['attempts', 5],
      {
        heading: 'response',
        value: ({ error, response_status }) => error ?? String(response_status ?? ''),
        cut: true,
      },
      ['created_at', 2],
      ['next_attempt_at', 4],
    ],
    web: {
      page: 'webhooks',
      takes: ['status', ['type', 'event'], ['search', 'q']],
      search: ({ webhook: id }): Record<string, string> => (id === undefined ? {} : { webhook: String(id) }),
      // The page filters by one type.
      resolve: async (option, value) => (option === 'type' && value.includes(',') ? undefined : value),
    },
    examples: [
      'backoffice webhooks deliveries 1 --status failed --type issue.created --since 2d',
      'backoffice webhooks deliveries --search evt_42 --json id,status,error',
    ],
  }),

  replay: change('webhooks.replay', {
    about: 'send messages again, with the same message IDs; also those that were never sent',
    params: {
      webhook: maybe({ ...webhook.key, about: 'the number of the webhook; requires --since' }),
      delivery: number('only the delivery with this number, without a webhook', 1),
      since: time('messages created at or after this time: 2026-01-31, yesterday, or 2d'),
      until: time('messages created before this time'),
      status: word('only messages whose last delivery has this status', deliveryOutcomes),
    },
    input({ webhook: webhook_id, delivery: delivery_id, ...range }) {
      const isOne =
        delivery_id !== undefined && webhook_id === undefined && !Object.values(range).some(Boolean);
      const isRange = delivery_id === undefined && webhook_id !== undefined && range.since !== undefined;
      if (!isOne && !isRange) throw new UsageError('Use a webhook with --since, or only --delivery.');
      return isOne ? { delivery_id } : { webhook_id, ...range };
    },
    done: ({ replayed }) => `Queued ${counted(replayed, 'message')} for delivery.`,
    examples: [
      'backoffice webhooks replay 1 --since 2d --status failed',
      'backoffice webhooks replay --delivery 7',
    ],
  }),

  delete: change('webhooks.delete', {
    about: 'delete a webhook; its delivery log is kept for the usual time',
    of: webhook,
    input: (_given, { id }) => ({ id }),
    ask: ({ id, url }) => `Delete webhook ${id} to ${url}?`,
    done: (_answer, { id }) => `Deleted webhook ${id}.`,
    examples: ['backoffice webhooks delete 1'],
  }),
});
