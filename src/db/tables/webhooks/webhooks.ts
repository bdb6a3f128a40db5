import { sql } from 'slonik';
import { z } from 'zod';
import { webhookSchema } from '../../../contract/schemas/webhooks.ts';
import type { Database } from '../../connection/database.ts';
import { searchShort } from '../../lists/search.ts';
import { isoTimestamp } from '../../timestamps.ts';

/** A webhook without its secret. */
export type Webhook = z.infer<typeof webhookSchema>;

const webhookColumns = sql.fragment`
  id, url, events, description, is_active,
  ${isoTimestamp(sql.fragment`failing_since`)} as failing_since,
  ${isoTimestamp(sql.fragment`created_at`)} as created_at,
  ${isoTimestamp(sql.fragment`updated_at`)} as updated_at
`;

const idRow = z.object({ id: z.int() });
const endpoint = z.object({ url: z.string(), secrets: z.array(z.string()) });

/** The URL to send to and the secrets to sign with, as they are stored. */
export type Endpoint = z.infer<typeof endpoint>;

/** The columns of an endpoint. The previous secret also signs until it expires. */
export const endpointColumns = sql.fragment`
  webhooks.url,
  array[webhooks.secret] || case
    when webhooks.former_secret_expires_at > now() then array[webhooks.former_secret] else '{}'
  end as secrets
`;

/** Returns the webhooks, or those that match a search, oldest first. */
export async function selectWebhooks(db: Database, q?: string): Promise<readonly Webhook[]> {
  const search = searchShort(q, [
    sql.fragment`url`,
    sql.fragment`array_to_string(events, ' ')`,
    sql.fragment`description`,
  ]);
  return await db.any(sql.type(webhookSchema)`
    select ${webhookColumns} from webhooks
    where ${search?.condition ?? sql.fragment`true`}
    order by webhooks.id
  `);
}

/** Returns the endpoint of a webhook, or null if there is none with the id. */
export async function selectEndpoint(db: Database, id: number | null): Promise<Endpoint | null> {
  return await db.maybeOne(sql.type(endpoint)`
    select ${endpointColumns} from webhooks where id = ${id}::bigint
  `);
}

/** Takes the id of a new webhook, which its secret is encrypted for. */
export async function nextWebhookId(db: Database): Promise<number> {
  return await db.oneFirst(sql.type(idRow)`select nextval(pg_get_serial_sequence('webhooks', 'id')) as id`);
}

/** Inserts an active webhook and returns it. */
export async function insertWebhook(
  tx: Database,
  webhook: Pick<Webhook, 'id' | 'url' | 'events' | 'description'> & { readonly secret: string },
): Promise<Webhook> {
  const { id, url, secret, events, description } = webhook;
  return await tx.one(sql.type(webhookSchema)`
    insert into webhooks (id, url, secret, events, description)
    values (${id}, ${url}, ${secret}, ${sql.array(events, 'text')}, ${description})
    returning ${webhookColumns}
  `);
}

export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly is_active?: 0 | 1 | undefined;
  readonly secret?: string | undefined;
}

const webhookFields = webhookSchema.pick({ url: true, events: true, description: true, is_active: true });

/** The fields of a webhook that can be changed, except its secret. */
export type WebhookFields = z.infer<typeof webhookFields>;

/**
 * Updates the given fields of a webhook. The previous secret stays valid for a day after a new one. Activating a
 * webhook resets its failures. Returns the webhook before the update, or null if there is none with the id.
 */
export async function updateWebhookFields(
  tx: Database,
  id: number | null,
  { url, events, description, is_active, secret }: WebhookChanges,
): Promise<WebhookFields | null> {
  const assignments = [
    url !== undefined && sql.fragment`url = ${url}`,
    events !== undefined && sql.fragment`events = ${sql.array([...events], 'text')}`,
    description !== undefined && sql.fragment`description = ${description}`,
    is_active !== undefined && sql.fragment`is_active = ${is_active}`,
    is_active === 1 && sql.fragment`failing_since = null`,
    secret !== undefined &&
      sql.fragment`
        secret = ${secret}, former_secret = webhooks.secret, former_secret_expires_at = now() + interval '1 day'
      `,
  ].filter((assignment) => assignment !== false);
  return await tx.maybeOne(sql.type(webhookFields)`
    with before as (
      select id, url, events, description, is_active from webhooks where id = ${id}::bigint for update
    )
    update webhooks set ${sql.join(assignments, sql.fragment`, `)}
    from before
    where webhooks.id = before.id
    returning before.url, before.events, before.description, before.is_active
  `);
}

/** Deletes a webhook and returns it, or null if there is none with the id. */
export async function deleteWebhookRow(tx: Database, id: number | null): Promise<WebhookFields | null> {
  return await tx.maybeOne(sql.type(webhookFields)`
    delete from webhooks where id = ${id}::bigint returning url, events, description, is_active
  `);
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

/**
 * Deactivates a webhook if it is active and has been failing for some days.
 *
 * @returns the webhook before the update, or null if it stays as it is
 */
export async function deactivateWebhook(
  tx: Database,
  id: number,
  failingDays: number,
): Promise<WebhookFields | null> {
  return await tx.maybeOne(sql.type(webhookFields)`
    update webhooks set is_active = 0
    where id = ${id} and is_active = 1 and failing_since <= now() - make_interval(days => ${failingDays})
    returning url, events, description, 1 as is_active
  `);
}
