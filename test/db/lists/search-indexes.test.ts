import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchIndexes } from '../../../src/db/lists/search-indexes.ts';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { withClient } from '../../support/postgres/server.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  await database.drop();
});

const run = (text: string) => withClient(database.url, async (client) => (await client.query(text)).rows);

/** The indexes that searches can use and whose lists of new entries are short. */
const usableIndexes = async () => {
  const rows = await run(`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relname like '%search_text_idx' and indisvalid and reloptions = '{gin_pending_list_limit=256}'
  `);
  return rows.map(({ name }) => name).toSorted();
};
const allIndexes = searchIndexes.map(({ name }) => name).toSorted();

test.each(['insufficient_privilege', 'undefined_file', 'feature_not_supported'])(
  'where the extension cannot be created (%s), migrations stop before the first one and say how to install it',
  async (condition) => {
    await database.drop();
    database = await createEmptyDatabase();
    await run(`
      create function refuse_extension() returns event_trigger language plpgsql as $$
      begin
        raise exception 'no extension' using errcode = '${condition}';
      end
      $$;
      create event trigger refuse_extension on ddl_command_start when tag in ('CREATE EXTENSION')
      execute function refuse_extension()
    `);
    await expect(migrateUp({ databaseUrl: database.url })).rejects.toThrow(
      'The extension pg_trgm is missing: have an administrator run `create extension pg_trgm` in this database, ' +
        'with the package postgresql-contrib installed on the server.',
    );
    expect(await run(`select from pg_tables where schemaname = 'public'`)).toEqual([]);
  },
);

test('an extension in another schema, lost indexes and what an interrupted build leaves are no hindrance', async () => {
  expect(await usableIndexes()).toEqual(allIndexes);
  await run(
    'drop extension pg_trgm cascade; create schema extra; grant usage on schema extra to public; create extension pg_trgm schema extra',
  );
  await run(`
    create index issue_search_text_idx on issue_search using gin (text extra.gin_trgm_ops);
    update pg_index set indisvalid = false where indexrelid = 'issue_search_text_idx'::regclass;
    create index conversation_search_text_idx on conversation_search using gin (text extra.gin_trgm_ops)
  `);
  const lines: string[] = [];
  expect(await migrateUp({ databaseUrl: database.url, log: (line) => lines.push(line) })).toEqual([]);
  expect(lines).toContain('Creating the index issue_search_text_idx');
  expect(await usableIndexes()).toEqual(allIndexes);
});

test('a statement leaves few new entries for a later one to sort in', async () => {
  const longest = await withClient(database.url, async (client) => {
    await client.query('create extension pgstattuple');
    const lengths: number[] = [];
    for (let n = 0; n < 60; n++) {
      await client.query(
        `insert into issues (title, description) select 'Title ' || m, md5(random()::text) from generate_series(1, 20) as m`,
      );
      const { rows } = await client.query(
        `select pending_pages from pgstatginindex('issue_search_text_idx')`,
      );
      lengths.push(rows[0].pending_pages);
    }
    return Math.max(...lengths);
  });
  expect(longest).toBeGreaterThan(0);
  // 256 kB, and what the last statement has added.
  expect(longest).toBeLessThan(40);
});
