import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { lockSettings } from './settings.ts';
import { affectedRows, givenRows, keepUpdatedAt } from './statements.ts';

/** A column of secrets that the service encrypts. */
export interface SealedColumn {
  readonly table: string;
  /** The primary key. */
  readonly id: string;
  readonly column: string;
  /** What the secrets are for. Each is sealed for this and the id of its row. */
  readonly purpose: SealPurpose;
  /** Selects the rows whose value is a secret. By default all that have one. */
  readonly where?: FragmentSqlToken;
  /** Takes the lock that changes of several rows take before they lock the rows. */
  readonly lock?: (tx: Database) => Promise<void>;
}

export type SealPurpose = 'webhook' | 'setting' | 'totp' | 'recovery';

/** Returns what the secret of a row is sealed for. */
export function purposeOf(purpose: SealPurpose, id: string | number): string {
  return `${purpose}:${id}`;
}

/** All columns of secrets. Who adds one here has its secrets rotated, and counted by `doctor`. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'webhooks', id: 'id', column: 'secret', purpose: 'webhook' },
  { table: 'webhooks', id: 'id', column: 'former_secret', purpose: 'webhook' },
  {
    table: 'settings',
    id: 'setting_key',
    column: 'setting_value',
    purpose: 'setting',
    where: sql.fragment`is_secret`,
    lock: (tx) => lockSettings(tx, { exclusive: false }),
  },
  { table: 'admin_factors', id: 'id', column: 'secret', purpose: 'totp' },
  { table: 'admin_recovery_codes', id: 'id', column: 'sealed_hash', purpose: 'recovery' },
];

const storedSecret = z.object({ id: z.string(), text: z.string() });

/** A secret as it is stored: sealed, or in clear text. */
export type StoredSecret = z.infer<typeof storedSecret>;

/**
 * Returns the secrets of a column that are sealed with one of the given keys, or in clear text for the key ''. In the
 * order of their ids, after the given id, up to a limit.
 */
export async function selectSecrets(
  db: Database,
  column: SealedColumn,
  keyIds: readonly string[],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly StoredSecret[]> {
  const { id, text, table, where } = partsOf(column);
  return await db.any(sql.type(storedSecret)`
    select ${id} as id, ${text} as text from ${table}
    where ${where} and ${keyOf(text)} = any(${sql.array([...keyIds], 'text')})
      and (${after}::text is null or ${id} > ${after} collate "C")
    order by ${id}
    limit ${limit}
  `);
}

/**
 * Replaces secrets by the same ones sealed differently. Leaves out those that have changed since they were read. Returns
 * how many it replaced.
 */
export async function replaceSecrets(
  tx: Database,
  column: SealedColumn,
  secrets: readonly (StoredSecret & { readonly sealed: string })[],
): Promise<number> {
  const { id, text, table } = partsOf(column);
  await keepUpdatedAt(tx);
  const replaced = await affectedRows(tx)`
    with given as (
      select * from ${givenRows(secrets, { id: 'text', text: 'text', sealed: 'text' })}
    ), locked as materialized (
      select given.* from given join ${table} on ${id} = given.id and ${text} = given.text
      order by given.id collate "C"
      for update of ${sql.identifier([column.table])}
    )
    update ${table} set ${sql.identifier([column.column])} = locked.sealed
    from locked where ${id} = locked.id
  `;
  await keepUpdatedAt(tx, false);
  return replaced;
}

const secretCount = z.object({ key_id: z.string(), count: z.int() });

/** Returns how many secrets are sealed with each key. The key id of those in clear text is empty. */
export async function countSecrets(db: Database): Promise<readonly z.infer<typeof secretCount>[]> {
  const all = sealedColumns.map((column) => {
    const { text, table, where } = partsOf(column);
    return sql.fragment`select ${keyOf(text)} as key_id from ${table} where ${where}`;
  });
  return await db.any(sql.type(secretCount)`
    select key_id, count(*) from (${sql.join(all, sql.fragment` union all `)}) as secrets
    group by key_id order by key_id
  `);
}

function partsOf({ table, id, column, where }: SealedColumn) {
  const text = sql.identifier([table, column]);
  return {
    table: sql.identifier([table]),
    id: sql.fragment`(${sql.identifier([table, id])}::text collate "C")`,
    text,
    // An empty text is no secret.
    where: sql.fragment`${text} <> '' and ${where ?? sql.fragment`true`}`,
  };
}

/** The id of the key that a text is sealed with, or '' if it is in clear text. */
function keyOf(text: FragmentSqlToken | ReturnType<typeof sql.identifier>): FragmentSqlToken {
  return sql.fragment`case when ${text} ~ '^sealed\\.v1\\.[0-9a-f]{8}\\.' then split_part(${text}, '.', 3) else '' end`;
}
