import { sql } from 'slonik';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openPlainPool } from '../../../src/db/connection/plain-pool.ts';
import { openPool } from '../../../src/db/connection/pool.ts';
import { selectEventBounds, selectEvents } from '../../../src/db/outbox/events.ts';
import { upsertSettings } from '../../../src/db/tables/settings.ts';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const database = databaseOfThisFile(1);

/** What a connection keeps between transactions, which a pooler would give to another client. */
const state = sql.fragment`
  select (select count(*)::integer from pg_prepared_statements) as prepared,
    (select count(*)::integer from pg_settings where source = 'client' and name like '%timeout') as timeouts,
    (select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks
`;
const nothing = { prepared: 0, timeouts: 0, locks: 0 };

test('a connection through a pooler has no prepared statements, settings or locks', async () => {
  const pool = await openPool(database.url, 1, undefined, { pooler: true });
  onTestFinished(() => pool.end());
  await upsertSettings(pool, [{ key: 'k', value: 'v', is_secret: false }], { author: 'ada' });
  const row = z.object({ prepared: z.int(), timeouts: z.int(), locks: z.int() });
  expect(await pool.one(sql.type(row)`${state}`)).toEqual(nothing);
});

test('a plain connection through a pooler has none either', async () => {
  const pool = openPlainPool({
    databaseUrl: database.url,
    pooler: true,
    maxConnections: 1,
    onConnectionError: () => {},
  });
  onTestFinished(() => pool.end());
  await selectEvents(pool, 0);
  await selectEventBounds(pool);
  expect((await pool.query(state.sql)).rows).toEqual([nothing]);
});
