import { randomBytes } from 'node:crypto';
import { BackofficeError } from '../../contract/errors.ts';
import { webhookErrors } from '../../contract/operations/webhooks.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import type { RecordedFields } from '../../db/tables/record-changes.ts';
import { failPendingDeliveries } from '../../db/tables/webhook-deliveries.ts';
import {
  deleteWebhookRow,
  insertWebhook,
  selectWebhooks,
  updateWebhookFields,
  type WebhookFields,
} from '../../db/tables/webhooks.ts';
import type { Context } from '../call/context.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** What may be told of a webhook: of its URL only where it leads, because such URLs often are secrets themselves. */
export function toldOf({ url, events, description, is_active }: WebhookFields): RecordedFields {
  return { origin: new URL(url).origin, events, description, is_active };
}

export async function listWebhooks({ db }: Context): Promise<OutputOf<'webhooks.list'>> {
  return { webhooks: [...(await selectWebhooks(db))] };
}

export async function createWebhook(
  context: Context,
  webhook: ParsedInputOf<'webhooks.create'>,
): Promise<OutputOf<'webhooks.create'>> {
  refusePrivate(context, webhook.url);
  const secret = newSecret();
  const created = await context.change(async (tx, touch) => {
    const row = await insertWebhook(tx, { ...webhook, secret });
    touch({ event: 'webhook.created', id: row.id, after: toldOf(row) });
    return row;
  });
  return { success: true, webhook: created, secret };
}

export async function updateWebhook(
  context: Context,
  { id, rotate_secret, ...changes }: ParsedInputOf<'webhooks.update'>,
): Promise<OutputOf<'webhooks.update'>> {
  if (changes.url !== undefined) refusePrivate(context, changes.url);
  const secret = rotate_secret === true ? newSecret() : undefined;
  const found = await context.change(async (tx, touch) => {
    const before = await updateWebhookFields(tx, id, { ...changes, secret });
    if (before === null) return false;
    if (changes.is_active === 0) await failPendingDeliveries(tx, id, 'The webhook was switched off.');
    const { url = before.url, events = before.events } = changes;
    const { description = before.description, is_active = before.is_active } = changes;
    const after = toldOf({ url, events: [...events], description, is_active });
    const silently = {
      ...(url === before.url ? {} : { url: 'changed' }),
      ...(secret === undefined ? {} : { secret: 'changed' }),
    };
    touch({ event: 'webhook.updated', id, before: toldOf(before), after: { ...after, ...silently } });
    return true;
  });
  return { success: true, ...(found && secret !== undefined ? { secret } : {}) };
}

export async function deleteWebhook(
  { change }: Context,
  { id }: ParsedInputOf<'webhooks.delete'>,
): Promise<OutputOf<'webhooks.delete'>> {
  await change(async (tx, touch) => {
    const before = await deleteWebhookRow(tx, id);
    if (before === null) return;
    await failPendingDeliveries(tx, id, 'The webhook was deleted.');
    touch({ event: 'webhook.deleted', id, before: toldOf(before) });
  });
  return { success: true };
}

function refusePrivate({ webhookSender }: Context, url: string): void {
  if (webhookSender.refuses(url)) throw new BackofficeError(webhookErrors.privateAddress);
}
