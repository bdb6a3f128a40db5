import { randomBytes } from 'node:crypto';
import type { EventData } from '../../contract/events/envelope.ts';
import { wakeWebhookLater } from '../../db/job-queue/jobs.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
import {
  type DeliveryAttempt,
  type DueDelivery,
  failPendingDeliveries,
  failUnwantedDeliveries,
  selectDueDelivery,
  updateDelivery,
} from '../../db/tables/webhooks/webhook-deliveries.ts';
import {
  deactivateWebhook,
  lockWebhook,
  updateWebhookHealth,
  type WebhookFields,
} from '../../db/tables/webhooks/webhooks.ts';
import { serviceActor } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import type { Observer } from '../call/observer.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { WebhookResponse, WebhookSender } from './sender.ts';

/** The audit entry of a webhook that the service deactivates. */
const delivery = { id: 'webhooks.deliver', changes: ['webhook.updated'] } as const;

/** A webhook that has failed for this long is deactivated when its next delivery is given up. */
const deactivateAfterDays = 5;

/** After this time a webhook with many due deliveries makes room for other webhooks. */
const maxRunMs = 10_000;

/** What the outcome of an attempt is for the observer, by the status that the delivery has after it. */
const outcomes = { succeeded: 'succeeded', pending: 'failed', failed: 'given_up' } as const;

interface DeliveryServices {
  readonly databases: Databases;
  readonly webhookSender: WebhookSender;
  readonly secretBox: SecretBox;
  readonly observer: Observer;
}

/**
 * Sends the due messages of a webhook one by one, oldest first, and queues a job for the next message that becomes due.
 * The queue runs one such job at a time for each webhook.
 *
 * @throws the signal's reason when it aborts; the interrupted message is sent again
 */
export async function deliverWebhook(
  services: DeliveryServices,
  webhookId: number,
  signal: AbortSignal,
): Promise<void> {
  const { databases, webhookSender, secretBox, observer } = services;
  const end = performance.now() + maxRunMs;
  while (performance.now() < end) {
    signal.throwIfAborted();
    const due = await selectDueDelivery(databases.primary, webhookId);
    if (due === null) break;
    const { message_id: id, content, url } = due;
    const body = content === null ? due.payload : withContent(due.payload, content);
    const secrets = openWebhookSecrets(secretBox, webhookId, due.secrets);
    const response = await webhookSender.send({ url, id, body, secrets }, signal);
    const attempt = toAttempt(response, due.attempts);
    observer.onDelivery?.(outcomes[attempt.status], response.durationMs);
    // An answer may repeat the text, which must not outlive the row that it is from.
    const kept = content === null ? attempt : { ...attempt, response_body: null };
    await record(services, webhookId, due, kept);
    // A failing receiver may be slow, so other webhooks go first.
    if (response.error !== null) break;
  }
  await failUnwantedDeliveries(databases.primary, webhookId, 'The webhook is inactive.');
  await wakeWebhookLater(databases.primary, webhookId);
}

/** Adds texts to the data of a message, or replaces those that were cut. */
function withContent(payload: string, content: Readonly<Record<string, string>>): string {
  const message = JSON.parse(payload);
  Object.assign(message.data.data, content);
  return JSON.stringify(message);
}

async function record(
  { databases }: DeliveryServices,
  webhookId: number,
  due: DueDelivery,
  attempt: DeliveryAttempt,
): Promise<void> {
  const change = changesOf(databases.primary, serviceActor, delivery);
  await change(async (tx, record) => {
    // Locked before its deliveries, as the operations that deactivate or delete a webhook do. Another order deadlocks.
    await lockWebhook(tx, webhookId);
    if (!(await updateDelivery(tx, due, attempt))) return;
    await updateWebhookHealth(tx, webhookId, attempt.status === 'succeeded');
    if (attempt.status !== 'failed') return;
    const isGone = attempt.response_status === 410;
    const before = await deactivateWebhook(tx, webhookId, isGone ? 0 : deactivateAfterDays);
    if (before === null) return;
    const reason = isGone
      ? 'The webhook was deactivated: the receiver answered 410 Gone.'
      : `The webhook was deactivated: no delivery succeeded for ${deactivateAfterDays} days.`;
    await failPendingDeliveries(tx, webhookId, reason);
    const recorded = recordedWebhook(before);
    const after = { ...recorded, is_active: 0, reason } as const;
    record({ event: 'webhook.updated', id: webhookId, before: recorded, after });
  });
}

const minute = 60;
const hour = 60 * minute;

/** Seconds from each failed attempt to the next: eight attempts in 27.5 hours. */
const delaysSeconds = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

const maxRetryAfterSeconds = 24 * hour;

/** Lengthens each delay by up to a fifth, so that deliveries which failed together do not retry together. */
const jitter = 0.2;

/** Returns what a response means for the delivery, after so many earlier attempts. */
export function toAttempt(response: WebhookResponse, attemptsBefore: number): DeliveryAttempt {
  const { status, body, error, durationMs } = response;
  // A receiver that answers 410 Gone wants no more messages.
  const delay = error === null || status === 410 ? undefined : delaysSeconds[attemptsBefore];
  const next = (seconds: number) =>
    Math.round(Math.max(seconds * (1 + jitter * Math.random()), parseRetryAfter(response.retryAfter)));
  return {
    status: error === null ? 'succeeded' : delay === undefined ? 'failed' : 'pending',
    nextInSeconds: delay === undefined ? null : next(delay),
    response_status: status,
    response_body: body,
    error,
    duration_ms: durationMs,
  };
}

/** Returns the seconds that a `Retry-After` header asks for, either as a number or as a date. */
function parseRetryAfter(header: string | undefined): number {
  if (header === undefined) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(seconds, maxRetryAfterSeconds);
}

/** Returns a new secret in the form of https://www.standardwebhooks.com. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Encrypts a secret of a webhook. */
export function sealWebhookSecret(secretBox: SecretBox, webhookId: number, secret: string): string {
  return secretBox.seal(secret, purposeOf('webhook', webhookId));
}

/** Decrypts the secrets of a webhook. */
export function openWebhookSecrets(
  secretBox: SecretBox,
  webhookId: number,
  stored: readonly string[],
): string[] {
  return stored.map((secret) => secretBox.open(secret, purposeOf('webhook', webhookId)));
}

/** Returns what may be recorded of a webhook: only the origin of its URL, because such URLs often are secrets. */
export function recordedWebhook(webhook: WebhookFields): EventData<'webhook.created'> {
  const { url, events, description, is_active, include_content: isWhole } = webhook;
  const content = isWhole ? { include_content: true } : {};
  return { origin: new URL(url).origin, events, description, is_active, ...content };
}
