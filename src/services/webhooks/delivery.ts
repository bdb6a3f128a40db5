import {
  deleteOldDeliveries,
  failUnwantedDeliveries,
  wakeWebhookLater,
} from '../../db/job-queue/webhook-jobs.ts';
import {
  type DeliveryAttempt,
  type DueDelivery,
  failPendingDeliveries,
  selectDueDelivery,
  updateDelivery,
} from '../../db/tables/webhook-deliveries.ts';
import { deactivateWebhook, lockWebhook, updateWebhookHealth } from '../../db/tables/webhooks.ts';
import { theService } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import type { Services } from '../call/context.ts';
import { toAttempt } from './attempts.ts';
import { recordedWebhook } from './recorded-fields.ts';

/** What is recorded when the service switches a webhook off by itself. */
const delivery = { id: 'webhooks.deliver', changes: ['webhook.updated'] } as const;

/** A webhook that has failed for so many days is switched off when one more delivery is given up. */
const patienceDays = 5;

/** Milliseconds after which a webhook with much to send lets others have their turn. */
const turn = 10_000;

/** How long the log is kept. */
const keptDays = 30;
const purgeBatch = 1_000;

type Needed = Pick<Services, 'databases' | 'webhookSender'>;

/**
 * Sends a webhook what is due, one message after the other and the oldest first, and sees to it that it is called
 * again when more is. The queue runs it once at a time for each webhook.
 *
 * @throws the signal's reason when it aborts; the message under way is then sent again
 */
export async function deliverWebhook(
  services: Needed,
  webhookId: number,
  signal: AbortSignal,
): Promise<void> {
  const { databases, webhookSender } = services;
  const end = Date.now() + turn;
  while (Date.now() < end) {
    signal.throwIfAborted();
    const due = await selectDueDelivery(databases.primary, webhookId);
    if (due === null) break;
    const { message_id: id, payload: body, url, secrets } = due;
    const answer = await webhookSender.send({ url, id, body, secrets }, signal);
    await record(services, webhookId, due, toAttempt(answer, due.attempts));
    // A receiver that fails, and may take its time to, has had its turn.
    if (answer.error !== null) break;
  }
  await failUnwantedDeliveries(databases.primary, webhookId, 'The webhook is not active.');
  await wakeWebhookLater(databases.primary, webhookId);
}

async function record(
  { databases }: Needed,
  webhookId: number,
  due: DueDelivery,
  attempt: DeliveryAttempt,
): Promise<void> {
  await changesOf(
    databases.primary,
    theService,
    delivery,
  )(async (tx, touch) => {
    // Before its deliveries, as those do who switch it off or delete it: in another order it would be a deadlock.
    await lockWebhook(tx, webhookId);
    if (!(await updateDelivery(tx, due, attempt))) return;
    await updateWebhookHealth(tx, webhookId, attempt.status === 'succeeded');
    if (attempt.status !== 'failed') return;
    const isGone = attempt.response_status === 410;
    const before = await deactivateWebhook(tx, webhookId, isGone ? 0 : patienceDays);
    if (before === null) return;
    const reason = isGone
      ? 'The webhook was switched off: its receiver answered 410, Gone.'
      : `The webhook was switched off: nothing had got through for ${patienceDays} days.`;
    await failPendingDeliveries(tx, webhookId, reason);
    touch({
      event: 'webhook.updated',
      id: webhookId,
      before: recordedWebhook(before),
      after: { ...recordedWebhook(before), is_active: 0, reason },
    });
  });
}

/** Removes from the log what is older than 30 days, in batches. */
export async function purgeDeliveries({ databases }: Pick<Services, 'databases'>): Promise<void> {
  while ((await deleteOldDeliveries(databases.primary, keptDays, purgeBatch)) === purgeBatch);
}
