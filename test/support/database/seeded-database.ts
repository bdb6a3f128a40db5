import { type CounterDifference, checkIssueCounters } from '../../../src/db/analytics/issue-counters.ts';
import { connectDatabases } from '../../../src/db/replica/databases.ts';
import { type SeedOptions, type SeedResult, seed } from '../../../src/services/seed/index.ts';
import { withClient } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** The end of the time that the seeded data covers. */
export const seedUntil = '2026-07-01T12:00:00.000Z';

/** The default options of a seed in tests. */
export const smallSeed: SeedOptions = {
  issues: 800,
  conversations: 150,
  messagesPerConversation: 5,
  randomSeed: 7,
  until: seedUntil,
  append: false,
  stop: new AbortController().signal,
  onProgress: () => {},
};

/** Seeds a new database, passes it to `use` and drops it. */
export async function withSeededDatabase<T>(
  options: Partial<SeedOptions>,
  use: (database: TestDatabase, made: SeedResult) => Promise<T>,
): Promise<T> {
  const database = await createTestDatabase();
  try {
    return await use(database, await seed(database.url, { ...smallSeed, ...options }));
  } finally {
    await database.drop();
  }
}

/** Returns the rows of a query. */
export async function queryRows<Row extends object>(database: TestDatabase, query: string): Promise<Row[]> {
  return await withClient(database.url, async (client) => (await client.query<Row>(query)).rows);
}

const keys = {
  issues: 'id',
  conversations: 'id',
  conversation_messages: 'id',
  settings: 'setting_key',
  token_usage_records: 'record_id',
  scraping_runs: 'run_id',
  scraping_errors: 'id',
} as const;

/** Returns a checksum of all rows and columns of each seeded table. */
export async function checksums(database: TestDatabase): Promise<Record<keyof typeof keys, string>> {
  const sums = Object.entries(keys).map(
    ([table, key]) =>
      `(select md5(string_agg(${table}::text, '|' order by ${key})) from ${table}) as ${table}`,
  );
  const [row] = await queryRows<Record<keyof typeof keys, string>>(database, `select ${sums.join(', ')}`);
  if (row === undefined) throw new Error('The query returned no row.');
  return row;
}

/** Returns the wrong counters of the charts. */
export async function wrongCounters(database: TestDatabase): Promise<readonly CounterDifference[]> {
  const databases = connectDatabases({ databaseUrl: database.url });
  try {
    return await checkIssueCounters(databases.primary);
  } finally {
    await databases.close();
  }
}
