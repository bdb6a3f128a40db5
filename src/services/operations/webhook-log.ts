import { randomBytes } from 'node:crypto';
import { BackofficeError } from '../../contract/errors.ts';
import { maximumReplay, webhookErrors } from '../../contract/operations/webhooks.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import { wakeWebhook } from '../../db/job-queue/webhook-jobs.ts';
import { deliveryList, insertFinishedDelivery } from '../../db/tables/webhook-deliveries.ts';
import {
  countReplays,
  insertReplay,
  insertReplays,
  selectReplayTarget,
} from '../../db/tables/webhook-replays.ts';
import { selectEndpoint } from '../../db/tables/webhooks.ts';
import type { Context } from '../call/context.ts';
import { answerList } from '../streaming/list-answer.ts';
import type { StreamedJson } from '../streaming/streamed-json.ts';
import { toAttempt } from '../webhooks/attempts.ts';

export async function listDeliveries(
  context: Context,
  { limit, ...filter }: ParsedInputOf<'webhooks.deliveries'>,
): Promise<StreamedJson> {
  return answerList(context, 'webhooks.deliveries', deliveryList(filter), limit);
}

export async function testWebhook(
  { db, change, actor, webhookSender }: Context,
  { id }: ParsedInputOf<'webhooks.test'>,
): Promise<OutputOf<'webhooks.test'>> {
  const endpoint = await selectEndpoint(db, id);
  if (endpoint === null || id === null) return { success: true, delivery: null };
  const type = 'webhook.tested';
  const message = {
    id: `test_${randomBytes(8).toString('hex')}`,
    body: JSON.stringify({
      type,
      timestamp: new Date().toISOString(),
      data: { subject_id: String(id), actor: actor.name },
    }),
  };
  const answer = await webhookSender.send({ ...endpoint, ...message });
  // A test is not repeated: whoever asked for it knows, and may ask again.
  const attempt = {
    ...toAttempt(answer, 0),
    status: answer.error === null ? 'succeeded' : 'failed',
  } as const;
  const delivery = await change(async (tx, touch) => {
    const { status, response_status } = attempt;
    touch({ event: type, id, after: { status, response_status } });
    return await insertFinishedDelivery(
      tx,
      { webhook_id: id, message_id: message.id, type, body: message.body },
      attempt,
    );
  });
  return { success: true, delivery };
}

export async function replayWebhook(
  { db, change }: Context,
  input: ParsedInputOf<'webhooks.replay'>,
): Promise<OutputOf<'webhooks.replay'>> {
  const { delivery_id: deliveryId, webhook_id: webhookId, since, until, status } = input;
  const target = await selectReplayTarget(db, { webhookId, deliveryId });
  if (target === null) return { success: true, replayed: 0 };
  if (target.is_active !== 1) throw new BackofficeError(webhookErrors.inactive);

  const filter = { webhookId: target.id, since: since ?? '', until, status };
  if (deliveryId === undefined && (await countReplays(db, filter, maximumReplay + 1)) > maximumReplay) {
    throw new BackofficeError(webhookErrors.tooManyToReplay);
  }
  const replayed = await change(async (tx, touch) => {
    const count = await (deliveryId === undefined ? insertReplays(tx, filter) : insertReplay(tx, deliveryId));
    if (count > 0) {
      const told = deliveryId === undefined ? { since, until, status } : { delivery_id: deliveryId };
      touch({ event: 'webhook.replayed', id: target.id, after: { ...told, messages: count } });
    }
    return count;
  });
  if (replayed > 0) await wakeWebhook(db, target.id);
  return { success: true, replayed };
}
