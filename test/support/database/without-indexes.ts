import type { Client } from 'pg';

/**
 * Runs a function that fills tables without their indexes, and creates these again after it. That takes a fraction of the
 * time of adding to them row by row. Indexes of keys stay.
 */
export async function withoutIndexes(client: Client, fill: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)
  `);
  await client.query(rows.map(({ name }) => `drop index ${name}`).join(';'));
  await fill();
  await client.query(`set maintenance_work_mem = '256MB'`);
  for (const { definition } of rows) await client.query(definition);
  await client.query('reset maintenance_work_mem');
}
