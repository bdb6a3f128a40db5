import type { Client } from 'pg';

/**
 * Disables the triggers of tables. Returns a function that enables them again, those that always fire included, which
 * `enable trigger user` alone would make ordinary ones.
 *
 * @param tables - their names as SQL
 */
export async function disableTriggers(
  connection: Client,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const { rows: firingAlways } = await connection.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name from pg_trigger
     where tgrelid = any ($1::regclass[]) and not tgisinternal and tgenabled = 'A'`,
    [tables],
  );
  for (const table of tables) await connection.query(`alter table ${table} disable trigger user`);
  return async () => {
    for (const table of tables) await connection.query(`alter table ${table} enable trigger user`);
    for (const { table, name } of firingAlways) {
      await connection.query(`alter table ${table} enable always trigger ${name}`);
    }
  };
}
