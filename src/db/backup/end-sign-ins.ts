import type { Client } from 'pg';

/** The tables of access that lasts for a while. */
const tablesOfAccess: ReadonlySet<string> = new Set([
  'sessions',
  'sign_in_challenges',
  'password_resets',
  'invitations',
  'device_sign_ins',
]);

/**
 * Ends the sessions, and the sign-ins and links that were not completed: they may have ended since the backup was made.
 *
 * @param tables - the tables that the database has
 */
export async function endSignIns(connection: Client, tables: readonly string[]): Promise<void> {
  for (const table of tables.filter((name) => tablesOfAccess.has(name))) {
    await connection.query(`delete from public.${connection.escapeIdentifier(table)}`);
  }
}

/** The lasting kinds of access that a restore ends. */
export interface EndedAccess {
  readonly tokens: boolean;
  readonly recoveryCodes: boolean;
}

/** The access that a restored backup gives back, including what was revoked or used since. */
export interface KeptAccess {
  /** API tokens that are valid. */
  readonly tokens: number;
  /** Accounts that have recovery codes. */
  readonly accountsWithCodes: number;
}

/**
 * Revokes API tokens and removes recovery codes if that is wanted. Returns what is left.
 *
 * @param tables - the tables that the database has
 */
export async function endLastingAccess(
  connection: Client,
  tables: readonly string[],
  ended: EndedAccess,
): Promise<KeptAccess> {
  const count = async (table: string, sql: string) => {
    if (!tables.includes(table)) return 0;
    const { rows } = await connection.query<{ count: number }>(sql);
    return rows[0]?.count ?? 0;
  };
  if (ended.tokens && tables.includes('api_tokens'))
    await connection.query('update public.api_tokens set revoked_at = now() where revoked_at is null');
  if (ended.recoveryCodes && tables.includes('admin_recovery_codes'))
    await connection.query('delete from public.admin_recovery_codes');
  return {
    tokens: await count(
      'api_tokens',
      `select count(*)::integer as count from public.api_tokens
       where revoked_at is null and (expires_at is null or expires_at > now())`,
    ),
    accountsWithCodes: await count(
      'admin_recovery_codes',
      'select count(distinct admin_id)::integer as count from public.admin_recovery_codes',
    ),
  };
}
