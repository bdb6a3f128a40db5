import { sql } from 'slonik';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPool } from '../../../src/db/connection/pool.ts';
import { filteredAndOrdered } from '../../../src/db/lists/filtered-rows.ts';
import { findMatches } from '../../../src/db/lists/find-matches.ts';
import { searchIndexes } from '../../../src/db/lists/search-indexes.ts';
import { migrateDown, migrateUp } from '../../../src/db/migrate/index.ts';
import { issueList } from '../../../src/db/tables/issues.ts';
import { withClient } from '../../support/database/client.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/database.ts';

let database: TestDatabase;

/** Refuses the extension, as servers do that lack it or let only some roles create it. */
const refuseExtension = `
  create function refuse_extension() returns event_trigger language plpgsql as $$
  begin
    raise exception 'permission denied to create extension' using errcode = 'insufficient_privilege';
  end
  $$;
  create event trigger refuse_extension on ddl_command_start when tag in ('CREATE EXTENSION')
  execute function refuse_extension()
`;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await run(refuseExtension);
});

afterEach(async () => {
  await database.drop();
});

const run = (text: string) => withClient(database.url, async (client) => (await client.query(text)).rows);

const indexes = () =>
  run(`
    select relname, indisvalid from pg_index join pg_class on pg_class.oid = indexrelid
    where relname like '%search_text_idx' order by relname
  `);
const allIndexes = searchIndexes
  .map(({ name }) => ({ relname: name, indisvalid: true }))
  .toSorted((a, b) => (a.relname < b.relname ? -1 : 1));

/** Returns the ids of the issues that a search finds. */
async function search(q: string): Promise<readonly number[]> {
  const pool = await openPool(database.url, 1);
  const list = issueList({ q });
  if (list.search === undefined) throw new Error('There is no search.');
  const found = await findMatches(pool, { ...list, search: list.search }, 10, (db, query) =>
    db.anyFirst(sql.unsafe`select id ${filteredAndOrdered(query, 10)}`),
  );
  await pool.end();
  return found as readonly number[];
}

test('without the extension all migrations apply, and searches find the same; with it the indexes come', async () => {
  const applied = await migrateUp({ databaseUrl: database.url });
  expect(await indexes()).toEqual([]);
  await run(
    `insert into issues (id, title) values (1, 'The Zebra crossing'), (2, 'Checkout'), (3, 'A quiz')`,
  );
  expect(await search('crossing zebra')).toEqual([1]);
  expect(await search('qu')).toEqual([3]);
  expect(await migrateUp({ databaseUrl: database.url })).toEqual([]);

  await run(
    'drop event trigger refuse_extension; create schema extra; create extension pg_trgm schema extra',
  );
  // What an interrupted build leaves.
  await run(`
    create index issue_search_text_idx on issue_search using gin (text extra.gin_trgm_ops);
    update pg_index set indisvalid = false where indexrelid = 'issue_search_text_idx'::regclass
  `);
  const lines: string[] = [];
  expect(await migrateUp({ databaseUrl: database.url, log: (line) => lines.push(line) })).toEqual([]);
  expect(lines).toContain('Created the index issue_search_text_idx.');
  expect(await indexes()).toEqual(allIndexes);
  expect(await search('crossing zebra')).toEqual([1]);
  expect(await search('qu')).toEqual([3]);
  expect(await migrateDown({ databaseUrl: database.url, count: applied.length })).toHaveLength(
    applied.length,
  );
});

test('a role that gets the right later creates the extension itself', async () => {
  await migrateUp({ databaseUrl: database.url });
  await run('drop event trigger refuse_extension');
  await migrateUp({ databaseUrl: database.url });
  expect(await indexes()).toEqual(allIndexes);
});
