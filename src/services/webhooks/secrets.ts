import { randomBytes } from 'node:crypto';
import type { EventData } from '../../contract/events/envelope.ts';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
import type { WebhookFields } from '../../db/tables/webhooks/webhooks.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

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
export function recordedWebhook({
  url,
  events,
  description,
  is_active,
}: WebhookFields): EventData<'webhook.created'> {
  return { origin: new URL(url).origin, events, description, is_active };
}
