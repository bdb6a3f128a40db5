import { type FragmentSqlToken, sql } from 'slonik';
import type { Database } from './connection/database.ts';
import { affectedRows } from './tables/statements.ts';

/** Which rows of a table are too old. The first ones go first, if they have an order. */
interface OldRows {
  readonly where: FragmentSqlToken;
  readonly order?: FragmentSqlToken;
}

const hasExpired: OldRows = { where: sql.fragment`expires_at <= now()` };
const isForgotten: OldRows = { where: sql.fragment`last_used_at < now() - interval '90 days'` };

/** Which rows of each table are deleted. */
const oldRows = {
  invitations: hasExpired,
  password_resets: hasExpired,
  device_sign_ins: hasExpired,
  sign_in_challenges: hasExpired,
  // They were not verified in time: `setupMinutes` of their table.
  admin_factors: { where: sql.fragment`verified_at is null and created_at < now() - interval '15 minutes'` },
  rate_limits: { where: sql.fragment`expire <= extract(epoch from now()) * 1000` },
  sign_in_networks: isForgotten,
  sign_in_devices: isForgotten,
  failed_mails: { where: sql.fragment`failed_at < now() - interval '7 days'` },
  idempotency_keys: {
    where: sql.fragment`created_at <= now() - interval '24 hours'`,
    order: sql.fragment`order by created_at`,
  },
  webhook_deliveries: {
    where: sql.fragment`created_at < now() - interval '30 days' and status <> 'pending'`,
    order: sql.fragment`order by created_at, id`,
  },
} as const satisfies Readonly<Record<string, OldRows>>;

export type TableOfOldRows = keyof typeof oldRows;

/** Rows deleted per statement. */
const batchSize = 5_000;

/** Deletes the old rows of a table, in batches. Skips rows that another transaction has locked. */
export async function deleteOldRows(db: Database, table: TableOfOldRows): Promise<void> {
  const { where, order = sql.fragment`` }: OldRows = oldRows[table];
  const rows = sql.identifier([table]);
  let deleted: number;
  do {
    const old = sql.fragment`select ctid from ${rows} where ${where} ${order} limit ${batchSize} for update skip locked`;
    deleted = await affectedRows(db)`delete from ${rows} where ctid = any(array(${old}))`;
  } while (deleted === batchSize);
}
