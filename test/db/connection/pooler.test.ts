import { sql } from 'slonik';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../../src/db/connection/database.ts';
import { leadsToPooler } from '../../../src/db/connection/inspect-server.ts';
import { upsertSettings } from '../../../src/db/tables/settings.ts';
import { openQueryTap } from '../../support/postgres/control.ts';
import { databaseHere } from '../../support/postgres.ts';
import { startPoolerStandIn } from '../../support/receivers/pooler.ts';

const database = databaseHere(1);

/** What a connection keeps between transactions, which a pooler would give to another client. */
const state = sql.fragment`
  select (select count(*)::integer from pg_prepared_statements) as prepared,
    (select count(*)::integer from pg_settings where source = 'client' and name like '%timeout') as timeouts,
    (select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks
`;
const nothing = { prepared: 0, timeouts: 0, locks: 0 };

test('a connection through a pooler has no prepared statements, settings or locks', async () => {
  const pool = openDatabase({ databaseUrl: database.url, maxConnections: 1, pooler: true });
  onTestFinished(() => pool.close());
  await upsertSettings(pool, [{ key: 'k', value: 'v', is_secret: false }], { author: 'ada' });
  const row = z.object({ prepared: z.int(), timeouts: z.int(), locks: z.int() });
  expect(await pool.one(sql.type(row)`${state}`)).toEqual(nothing);
});

/** Reports whether a pooler that ignores these parameters is recognised at the database's URL with a query. */
async function isRecognised(ignored: readonly string[] = [], query = ''): Promise<boolean> {
  const standIn = await startPoolerStandIn(database.url, ignored);
  onTestFinished(() => standIn.close());
  return await leadsToPooler(standIn.url + query);
}

test('a pooler is recognised, whatever parameters it refuses or ignores', async () => {
  expect(await isRecognised()).toBe(true);
  expect(await isRecognised(['options'], '?options=-c%20work_mem%3D4MB')).toBe(true);
  expect(await isRecognised([], '?options=-c%20work_mem%3D4MB')).toBe(true);
});

test('a server is none, nor is a proxy that passes bytes on', async () => {
  expect(await leadsToPooler(database.url)).toBe(false);
  expect(await leadsToPooler(`${database.url}?options=-c%20work_mem%3D4MB`)).toBe(false);
  const proxy = await openQueryTap(database.url);
  onTestFinished(() => proxy.close());
  expect(await leadsToPooler(proxy.url)).toBe(false);
});

test('the proxy of Neon, which numbers connections itself, is none', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.client.query(`alter database "${name}" set neon.timeline_id = 'a'`);
  expect(await isRecognised()).toBe(false);
});

test('a server that is down is neither', async () => {
  const standIn = await startPoolerStandIn(database.url);
  onTestFinished(() => standIn.close());
  standIn.isAvailable = false;
  await expect(leadsToPooler(standIn.url)).rejects.toThrow();
});
