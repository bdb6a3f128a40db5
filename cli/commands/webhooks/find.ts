import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { NotFoundError } from '../../errors.ts';

/** A webhook, as `webhooks.list` returns it. */
export type ListedWebhook = OutputOf<'webhooks.list'>['webhooks'][number];

/**
 * Finds a webhook by its number.
 *
 * @throws NotFoundError if there is none, which the API does not report
 */
export async function findWebhook(access: Access, id: number): Promise<ListedWebhook> {
  const { webhooks } = await access.call('webhooks.list');
  const found = webhooks.find((webhook) => webhook.id === id);
  if (found === undefined) throw noWebhook(id);
  return found;
}

/** Returns the error for a webhook that does not exist. */
export const noWebhook = (id: number) =>
  new NotFoundError(`No webhook ${id}. Run \`backoffice webhooks list\` to see all.`);
