import { expect, test } from 'vitest';
import { searchIndexes } from '../../../src/db/lists/search-indexes.ts';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const own = databaseOfThisFile();

test('each search index has a short list of new entries', async () => {
  const { rows } = await own.client.query(
    `select relname as name from pg_class where relname like '%search_text_idx' and reloptions = '{gin_pending_list_limit=256}'`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(searchIndexes.map(({ name }) => name).toSorted());
});

test('a statement never leaves many entries for another one to sort in', async () => {
  const { client } = own;
  await client.query('create extension pgstattuple');
  let longest = 0;
  for (let n = 0; n < 60; n++) {
    await client.query(
      `insert into issues (title, description) select 'Title ' || m, md5(random()::text) from generate_series(1, 20) as m`,
    );
    const { rows } = await client.query(`select pending_pages from pgstatginindex('issue_search_text_idx')`);
    longest = Math.max(longest, rows[0].pending_pages);
  }
  expect(longest).toBeGreaterThan(0);
  // 256 kB, and what the last statement has added.
  expect(longest).toBeLessThan(40);
});
