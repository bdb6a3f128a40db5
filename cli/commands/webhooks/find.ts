import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { NotFoundError } from '../../errors.ts';

/** A webhook, as `webhooks.list` returns it. */
export type ListedWebhook = OutputOf<'webhooks.list'>['webhooks'][number];

/** The webhook of that number. The API does not say when there is none; people want to know. */
export async function findWebhook(access: Access, id: number): Promise<ListedWebhook> {
  const { webhooks } = await access.call('webhooks.list');
  const found = webhooks.find((webhook) => webhook.id === id);
  if (found === undefined) throw noWebhook(id);
  return found;
}

export const noWebhook = (id: number) =>
  new NotFoundError(`There is no webhook ${id}: see backoffice webhooks list.`);
