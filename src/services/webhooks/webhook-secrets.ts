import { randomBytes } from 'node:crypto';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
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
