import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { affectedRows, textRow } from './statements.ts';

/** The tables that example data is in, in the order in which it is removed: labels once no row has them. */
export const exampleTables = [
  'issues',
  'conversations',
  'token_usage_records',
  'scraping_runs',
  'saved_replies',
  'settings',
  'labels',
] as const;

const batch = z.object({ table: z.enum(exampleTables), ids: z.array(z.string()), made_at: z.string() });

/** Reports whether there is example data. */
export async function hasExampleData(db: Database): Promise<boolean> {
  return await db.exists(sql.unsafe`select from example_data`);
}

/** Forgets a batch of example data, and returns it, or null if there is none. */
export async function takeExampleBatch(tx: Database): Promise<z.infer<typeof batch> | null> {
  return await tx.maybeOne(sql.type(batch)`
    delete from example_data where id = (
      select id from example_data
      order by array_position(${sql.array([...exampleTables], 'text')}, table_name), id
      limit 1 for update
    )
    returning table_name as table, row_ids as ids, created_at::text as made_at
  `);
}

const conversationRow = z.object({ id: z.string(), status: z.string() });

/** Finds conversations by their ids and locks them, in the order of their ids. */
export async function lockExampleConversations(tx: Database, ids: readonly string[]) {
  return await tx.any(sql.type(conversationRow)`
    select id, status from conversations where id = any(${sql.array([...ids], 'text')}) order by id for update
  `);
}

const keys = { token_usage_records: 'record_id', scraping_runs: 'run_id' } as const;

/** Deletes token usage or scraping runs. Returns how many there were. */
export async function deleteExampleRecords(
  tx: Database,
  table: keyof typeof keys,
  ids: readonly string[],
): Promise<number> {
  const key = sql.identifier([keys[table]]);
  return await affectedRows(tx)`
    delete from ${sql.identifier([table])} where ${key} = any(${sql.array([...ids], 'text')})
  `;
}

const ownKeys = { saved_replies: 'id', settings: 'setting_key' } as const;

/** Returns which of some saved replies or settings nobody has changed since they were made, and locks them. */
export async function lockUnchanged(
  tx: Database,
  table: keyof typeof ownKeys,
  ids: readonly string[],
  madeAt: string,
): Promise<readonly string[]> {
  const key = sql.fragment`${sql.identifier([ownKeys[table]])}::text`;
  return await tx.anyFirst(sql.type(textRow)`
    select ${key} from ${sql.identifier([table])}
    where ${key} = any(${sql.array([...ids], 'text')}) and updated_at <= ${madeAt}::timestamptz
    order by 1 for update
  `);
}

/** Deletes the labels that no row has, and returns them. */
export async function deleteUnusedLabels(tx: Database, names: readonly string[]): Promise<readonly string[]> {
  const isUsed = (rows: 'issues' | 'conversations') => sql.fragment`
    exists (select from ${sql.identifier([rows])} where fold_labels(labels) && array[lower(label.name)] and labels <> '{}')
  `;
  return await tx.anyFirst(sql.type(textRow)`
    delete from labels as label
    where name = any(${sql.array([...names], 'text')}) and not ${isUsed('issues')} and not ${isUsed('conversations')}
    returning name
  `);
}
