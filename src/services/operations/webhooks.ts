import { randomBytes } from 'node:crypto';
import { webhooks } from '../../contract/fields/webhooks.ts';
import { maxReplayedMessages, webhookErrors } from '../../contract/operations/webhooks.ts';
import { wakeWebhook } from '../../db/job-queue/jobs.ts';
import { deleteRow, lockRow } from '../../db/nouns/rows.ts';
import {
  deliveryList,
  failPendingDeliveries,
  insertFinishedDelivery,
  selectTestPayload,
} from '../../db/tables/webhooks/webhook-deliveries.ts';
import {
  countReplays,
  insertReplay,
  insertReplays,
  selectReplayTarget,
} from '../../db/tables/webhooks/webhook-replays.ts';
import {
  insertWebhook,
  nextWebhookId,
  selectEndpoint,
  selectWebhooks,
  updateWebhookFields,
  type Webhook,
} from '../../db/tables/webhooks/webhooks.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import type { Context } from '../context.ts';
import { answerList, findShort } from '../streaming/list-answer.ts';
import {
  newWebhookSecret,
  openWebhookSecrets,
  recordedWebhook,
  sealWebhookSecret,
  toAttempt,
} from '../webhooks/delivery.ts';
import type { HandlersOf } from './handler-types.ts';

/** Recorded instead of a value that may be a secret. */
const changed = 'changed' as const;

export const webhookHandlers = {
  'webhooks.list': async (context, { q }) => ({
    webhooks: (await findShort(context, q, (db) => selectWebhooks(db, { q }))).map(shown),
  }),

  'webhooks.create': async (context, fields) => {
    refusePrivate(context, fields.url);
    const secret = newWebhookSecret();
    const id = await nextWebhookId(context.db);
    const sealed = sealWebhookSecret(context.secretBox, id, secret);
    const after = recordedWebhook({ ...fields, is_active: 1 });
    const webhook = await context.change(async (tx, record) => {
      record({ event: 'webhook.created', id, after });
      return await insertWebhook(tx, { ...fields, id, secret: sealed });
    });
    return { success: true, webhook: shown(webhook), secret };
  },

  'webhooks.update': async (context, { id, rotate_secret, expected, ...changes }) => {
    if (changes.url !== undefined) refusePrivate(context, changes.url);
    const secret = rotate_secret === true ? newWebhookSecret() : undefined;
    const changesNothing = Object.values({ ...changes, secret }).every((value) => value === undefined);
    if (changesNothing || id === null) return { success: true };
    const sealed = secret === undefined ? undefined : sealWebhookSecret(context.secretBox, id, secret);
    const found = await context.change(async (tx, record) => {
      const before = await lockRow(tx, webhooks, id);
      checkExpected('webhook', expected && comparable(expected), before && comparable(before));
      if (before === null) return false;
      await updateWebhookFields(tx, id, { ...changes, secret: sealed });
      if (changes.is_active === 0) await failPendingDeliveries(tx, id, 'The webhook was deactivated.');
      const { url = before.url, events = before.events } = changes;
      const { description = before.description, is_active = before.is_active } = changes;
      const { include_content = before.include_content } = changes;
      const after = {
        ...recordedWebhook({ url, events: [...events], description, is_active, include_content }),
        ...(url === before.url ? {} : { url: changed }),
        ...(secret === undefined ? {} : { secret: changed }),
      };
      record({ event: 'webhook.updated', id, before: recordedWebhook(before), after });
      return true;
    });
    return { success: true, ...(found && secret !== undefined ? { secret } : {}) };
  },

  'webhooks.delete': ({ change }, { id }) =>
    change(async (tx, record) => {
      const before = await deleteRow(tx, webhooks, id);
      if (before === null) return;
      await failPendingDeliveries(tx, id, 'The webhook was deleted.');
      record({ event: 'webhook.deleted', id, before: recordedWebhook(before) });
    }),

  'webhooks.test': async ({ db, change, actor, webhookSender, secretBox }, { id }) => {
    const endpoint = await selectEndpoint(db, id);
    if (endpoint === null || id === null) return { success: true, delivery: null };
    const type = 'webhook.tested';
    const messageId = `test_${randomBytes(8).toString('hex')}`;
    const body = await selectTestPayload(db, id, actor.name);
    const { url, secrets: stored } = endpoint;
    const secrets = openWebhookSecrets(secretBox, id, stored);
    const answer = await webhookSender.send({ url, secrets, id: messageId, body });
    // A test is never retried: the caller sees the result and can run it again.
    const status = answer.error === null ? 'succeeded' : 'failed';
    const attempt = { ...toAttempt(answer, 0), status } as const;
    const delivery = await change(async (tx, record) => {
      record({ event: type, id, after: { status, response_status: attempt.response_status } });
      const sent = { webhook_id: id, message_id: messageId, type, body };
      return await insertFinishedDelivery(tx, sent, attempt);
    });
    return { success: true, delivery };
  },

  'webhooks.deliveries': async (context, { limit, count, ...filter }) => {
    await context.publisher.catchUp();
    return answerList(context, 'webhooks.deliveries', deliveryList(filter), { limit, count });
  },

  'webhooks.replay': async (
    { db, change, afterCommit, databases, publisher },
    { delivery_id, webhook_id, since, until, status },
  ) => {
    const target = await selectReplayTarget(db, { webhookId: webhook_id, deliveryId: delivery_id });
    if (target === null) return { success: true, replayed: 0 };
    if (target.is_active !== 1) refuse(webhookErrors.inactive);

    await publisher.catchUp();
    const filter = { webhookId: target.id, since: since ?? '', until, status };
    if (
      delivery_id === undefined &&
      (await countReplays(db, filter, maxReplayedMessages + 1)) > maxReplayedMessages
    ) {
      refuse(webhookErrors.tooManyToReplay);
    }
    const replayed = await change(async (tx, record) => {
      const messages = await (delivery_id === undefined
        ? insertReplays(tx, filter)
        : insertReplay(tx, delivery_id));
      if (messages > 0) {
        const selection =
          delivery_id === undefined ? { since, until, status } : { delivery_id: delivery_id ?? undefined };
        record({ event: 'webhook.replayed', id: target.id, after: { ...selection, messages } });
      }
      return messages;
    });
    if (replayed > 0) afterCommit(() => wakeWebhook(databases.primary, target.id));
    return { success: true, replayed };
  },
} satisfies HandlersOf<'webhooks'>;

/** Returns a webhook as answers have it: without `include_content` if that is false. */
const shown = ({ include_content, ...webhook }: Webhook): Webhook =>
  include_content ? { ...webhook, include_content } : webhook;

function refusePrivate({ webhookSender }: Context, url: string): void {
  if (webhookSender.refuses(url)) refuse(webhookErrors.privateAddress);
}

/** Returns the fields of a webhook with its events as a text. Their order makes no difference. */
function comparable<Fields extends { readonly events?: readonly string[] | undefined }>({
  events,
  ...fields
}: Fields) {
  if (events === undefined) return fields;
  return { ...fields, events: events.length === 0 ? 'all' : events.toSorted().join(', ') };
}
