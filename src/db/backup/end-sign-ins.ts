import type { Client } from 'pg';

/** Tables of what lets somebody in for a while. */
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
