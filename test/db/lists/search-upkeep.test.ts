import { expect, test } from 'vitest';
import { SearchUpkeep } from '../../../src/db/lists/search-upkeep.ts';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const own = databaseOfThisFile();

test('new entries of the search indexes are sorted in after some hundreds of changes', async () => {
  const { client } = own;
  await client.query('create extension pgstattuple');
  const waiting = async () => {
    const { rows } = await client.query(`select pending_tuples from pgstatginindex('issue_search_text_idx')`);
    return Number(rows[0].pending_tuples);
  };
  await client.query(`
    insert into issues (title, category, severity, description, steps_to_reproduce)
    select 'Title ' || n, '', '', '', '' from generate_series(1, 20) as n
  `);
  const upkeep = new SearchUpkeep(own.pool);
  upkeep.count(399);
  expect(await waiting()).toBeGreaterThan(0);
  upkeep.count(1);
  await expect.poll(waiting).toBe(0);
});
