import { sql } from 'slonik';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openDatabase, withoutTimeouts } from '../../../src/db/connection/database.ts';
import { openJobPool } from '../../../src/db/job-queue/pool.ts';
import { databaseHere } from '../../support/postgres.ts';

const database = databaseHere(1);

const row = z.object({ lock: z.int(), statement: z.int(), zone: z.string() });
const settings = sql.type(row)`
  select
    (select setting::integer from pg_settings where name = 'lock_timeout') as lock,
    (select setting::integer from pg_settings where name = 'statement_timeout') as statement,
    current_setting('timezone') as zone
`;

/** Of a request: it waits no longer than two seconds, and longer than Postgres takes to find a deadlock. */
function expectOfRequest({ lock }: { readonly lock: number }): void {
  expect(lock).toBeGreaterThan(1_000);
  expect(lock).toBeLessThan(2_000);
}

test('statements of requests wait less than two seconds for a lock, and keep the options of the URL', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c TimeZone=Asia/Kathmandu');
  const pool = openDatabase({ databaseUrl: url.href, maxConnections: 1 });
  onTestFinished(() => pool.close());
  const found = await pool.one(settings);
  expectOfRequest(found);
  expect(found.zone).toBe('Asia/Kathmandu');
  expect(await withoutTimeouts(pool, (tx) => tx.one(settings))).toMatchObject({ lock: 0, statement: 0 });
  expect(await pool.one(settings)).toEqual(found);
});

test('those of the job queue wait for any time', async () => {
  const jobs = openJobPool(database.url, () => {});
  onTestFinished(() => jobs.end());
  expect((await jobs.query(settings.sql)).rows[0]).toMatchObject({ lock: 0 });
});
