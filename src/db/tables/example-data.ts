import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { affectedRows } from './statements.ts';

/** The primary keys of the tables that example data is in, in the order in which it is removed: labels once no row has them. */
const keys = {
  issues: 'id',
  conversations: 'id',
  token_usage_records: 'record_id',
  scraping_runs: 'run_id',
  saved_replies: 'id',
  settings: 'setting_key',
  labels: 'name',
} as const;

export type ExampleTable = keyof typeof keys;
const tables = Object.keys(keys) as ExampleTable[];

const batch = z.object({ table: z.enum(tables), ids: z.array(z.string()), made_at: z.string() });
type Batch = z.infer<typeof batch>;

/** Reports whether there is example data. */
export async function hasExampleData(db: Database): Promise<boolean> {
  return await db.exists(sql.unsafe`select from example_data`);
}

/** Forgets a batch of example data, and returns it, or null if there is none. */
export async function takeExampleBatch(tx: Database): Promise<Batch | null> {
  return await tx.maybeOne(sql.type(batch)`
    delete from example_data where id = (
      select id from example_data order by array_position(${sql.array(tables, 'text')}, table_name), id limit 1 for update
    )
    returning table_name as table, row_ids as ids, created_at::text as made_at
  `);
}

/**
 * Deletes the rows of a batch with what belongs to them. Keeps saved replies and settings that somebody has changed since,
 * and labels in use. Returns how many it deleted.
 */
export async function deleteExampleRows(tx: Database, { table, ids, made_at }: Batch): Promise<number> {
  const rows = sql.identifier([table]);
  const key = sql.identifier([keys[table]]);
  const given = sql.array(ids, table === 'issues' || table === 'saved_replies' ? 'int8' : 'text');
  // In an order, so that two changes of several rows do not wait for each other.
  return await affectedRows(tx)`
    with gone as (
      select ${key} from ${rows} where ${key} = any(${given}) and ${isOwn(table, made_at)} order by ${key} for update
    )
    delete from ${rows} using gone where ${rows}.${key} = gone.${key}
  `;
}

/** Returns the condition that nobody has made a row of the example data their own. */
function isOwn(table: ExampleTable, madeAt: string): FragmentSqlToken {
  const uses = (noun: string) => sql.fragment`
    select from ${sql.identifier([noun])} where labels <> '{}' and fold_labels(labels) && array[lower(name)]
  `;
  if (table === 'labels')
    return sql.fragment`not exists (${uses('issues')} union all ${uses('conversations')})`;
  if (table !== 'settings' && table !== 'saved_replies') return sql.fragment`true`;
  return sql.fragment`updated_at <= ${madeAt}::timestamptz`;
}
