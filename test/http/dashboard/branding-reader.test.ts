import { expect, test } from 'vitest';
import type { Database } from '../../../src/db/connection/database.ts';
import type { Databases } from '../../../src/db/replica/databases.ts';
import { brandingReader } from '../../../src/http/dashboard/branding.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

test('pages that are opened during a query share the next one, and show what was changed before them', async () => {
  const firstHasRead = Promise.withResolvers<void>();
  const firstMayEnd = Promise.withResolvers<void>();
  let reads = 0;
  const primary: Database = {
    ...own.pool,
    any: async (query) => {
      const isFirst = reads++ === 0;
      const rows = await own.pool.any(query);
      if (isFirst) {
        firstHasRead.resolve();
        await firstMayEnd.promise;
      }
      return rows;
    },
  };
  const read = brandingReader({ primary } as Databases);
  const first = read();
  await firstHasRead.promise;
  await own.client.query(`insert into settings (setting_key, setting_value) values ('site_name', 'Changed')`);
  const others = Array.from({ length: 20 }, () => read());
  firstMayEnd.resolve();
  expect((await first).name).not.toBe('Changed');
  for (const { name } of await Promise.all(others)) expect(name).toBe('Changed');
  expect(reads).toBe(2);
});
