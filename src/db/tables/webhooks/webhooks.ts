import { sql } from 'slonik';
import { z } from 'zod';
import { webhooks } from '../../../contract/fields/webhooks.ts';
import type { Changes, Row } from '../../../contract/of-noun.ts';
import { webhookSchema } from '../../../contract/operations/webhooks.ts';
import type { Database } from '../../connection/database.ts';
import { shownColumns } from '../../lists/list-query.ts';
import { assignmentsOf, listColumns } from '../../nouns/rows.ts';
import { selectShort } from '../../nouns/short-list.ts';
import { numberRow } from '../statements.ts';

/** A webhook without its secret. */
export type Webhook = Row<typeof webhooks>;

const webhookColumns = shownColumns(listColumns(webhooks));

/** The URL to send to and the secrets to sign with, as they are stored. */
const endpoint = z.object({ url: z.string(), secrets: z.array(z.string()) });

/** The columns of an endpoint. The previous secret also signs until it expires. */
export const endpointColumns = sql.fragment`
  webhooks.url,
  array[webhooks.secret] || case
    when webhooks.former_secret_expires_at > now() then array[webhooks.former_secret] else '{}'
  end as secrets
`;

/** Returns webhooks, oldest first. */
export const selectWebhooks = selectShort(webhooks, webhookSchema, sql.fragment`webhooks.id`);

/** Returns the endpoint of a webhook, or null if there is none with the id. */
export async function selectEndpoint(db: Database, id: number | null) {
  return await db.maybeOne(sql.type(endpoint)`
    select ${endpointColumns} from webhooks where id = ${id}::bigint
  `);
}

/** Takes the id of a new webhook, which its secret is encrypted for. */
export async function nextWebhookId(db: Database): Promise<number> {
  return await db.oneFirst(
    sql.type(numberRow)`select nextval(pg_get_serial_sequence('webhooks', 'id')) as id`,
  );
}

/** Inserts an active webhook and returns it. */
export async function insertWebhook(
  tx: Database,
  webhook: Pick<Webhook, 'id' | 'url' | 'events' | 'description' | 'include_content'> & {
    readonly secret: string;
  },
): Promise<Webhook> {
  const { id, url, secret, events, description, include_content = false } = webhook;
  return await tx.one(sql.type(webhookSchema)`
    insert into webhooks (id, url, secret, events, description, include_content)
    values (${id}, ${url}, ${secret}, ${sql.array(events, 'text')}, ${description}, ${include_content})
    returning ${webhookColumns}
  `);
}

const webhookFields = webhookSchema.pick({
  url: true,
  events: true,
  description: true,
  is_active: true,
  include_content: true,
});

/** The fields of a webhook that can be changed, except its secret. */
export type WebhookFields = z.infer<typeof webhookFields>;

/**
 * Updates the given fields of a locked webhook. The previous secret stays valid for a day after a new one. Activating a
 * webhook resets its failures.
 */
export async function updateWebhookFields(
  tx: Database,
  id: number,
  { secret, ...changes }: Changes<typeof webhooks> & { readonly secret?: string | undefined },
): Promise<void> {
  const assignments = [
    ...assignmentsOf(changes),
    changes.is_active === 1 && sql.fragment`failing_since = null`,
    secret !== undefined &&
      sql.fragment`
        secret = ${secret}, former_secret = webhooks.secret, former_secret_expires_at = now() + interval '1 day'
      `,
  ].filter((assignment) => assignment !== false);
  await tx.query(sql.unsafe`update webhooks set ${sql.join(assignments, sql.fragment`, `)} where id = ${id}`);
}

/** Keeps others from changing or deleting a webhook until the transaction ends. */
export async function lockWebhook(tx: Database, id: number): Promise<void> {
  await tx.query(sql.unsafe`select from webhooks where id = ${id} for no key update`);
}

/** Updates since when a webhook has been failing. A healthy one is not failing. */
export async function updateWebhookHealth(tx: Database, id: number, healthy: boolean): Promise<void> {
  await tx.query(
    healthy
      ? sql.unsafe`update webhooks set failing_since = null where id = ${id} and failing_since is not null`
      : sql.unsafe`update webhooks set failing_since = now() where id = ${id} and failing_since is null`,
  );
}

/** Deactivates an active webhook that has been failing for some days. Returns it as it was before, or null. */
export async function deactivateWebhook(tx: Database, id: number, failingDays: number) {
  return await tx.maybeOne(sql.type(webhookFields)`
    update webhooks set is_active = 0
    where id = ${id} and is_active = 1 and failing_since <= now() - make_interval(days => ${failingDays})
    returning url, events, description, 1 as is_active, include_content
  `);
}
