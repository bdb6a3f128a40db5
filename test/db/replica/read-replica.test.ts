import { sql } from 'slonik';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkReplica } from '../../../cli/doctor/database.ts';
import { readLongList } from '../../../src/db/lists/read-list.ts';
import { connectDatabases, type Databases, type ReplicaState } from '../../../src/db/replica/databases.ts';
import { issueList } from '../../../src/db/tables/issues.ts';
import { clientWith, type SignedIn, startTestService, type TestService } from '../../support/here.ts';
import {
  openQueryTap,
  type QueryTap,
  type ReplicatedPostgres,
  replicatedPostgres,
} from '../../support/postgres/control.ts';
import { queryRows } from '../../support/postgres/seeded.ts';
import { withClient } from '../../support/postgres/server.ts';
import { isSlowRun } from '../../support/slow-run.ts';

let postgres: ReplicatedPostgres;
let tap: QueryTap;
/** Two instances of the service. */
let instances: TestService[];
let admin: SignedIn;
let databases: Databases;
const states: ReplicaState[] = [];

beforeAll(async () => {
  postgres = await replicatedPostgres();
  tap = await openQueryTap(postgres.standby.url);
  const urls = { DATABASE_URL: postgres.primary.url, DATABASE_READ_URL: tap.url };
  instances = [await startTestService(urls), await startTestService(urls)];
  admin = await instance(0).signIn('superadmin');
  databases = connectDatabases({
    databaseUrl: postgres.primary.url,
    databaseReadUrl: postgres.standby.url,
    onReplicaChange: (state) => void states.push(state),
  });
  await onPrimary(`insert into issues (title) select 'seeded ' || n from generate_series(1, 50) as n`);
});

afterAll(async () => {
  await Promise.all(instances?.map((service) => service.stop()) ?? []);
  await databases?.close();
  await tap?.close();
  await postgres?.remove();
});

const instance = (index: number) => instances[index] as TestService;

async function run(url: string, ...statements: string[]): Promise<void> {
  await withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
const onPrimary = (...statements: string[]) => run(postgres.primary.url, ...statements);
const onStandby = (...statements: string[]) => run(postgres.standby.url, ...statements);

const isStandby = sql.type(z.object({ is: z.boolean() }))`
  select pg_is_in_recovery() as is from (select count(*) from issues) as locks
`;

/** Reads on `databases`, and returns whether the standby answered. */
const standbyAnswers = () => databases.replica.oneFirst(isStandby);

const clientOf = (service: TestService) => clientWith(service.url, admin.cookie);
const create = (service: TestService, title: string) => clientOf(service).call('issues.create', { title });

function fetchLatest(service: TestService, headers: Record<string, string> = {}): Promise<Response> {
  return service.fetch('/api/admin/issues', { headers: { cookie: admin.cookie, ...headers } });
}

async function latestTitles(service: TestService): Promise<unknown[]> {
  const answer = await clientOf(service).call('issues.list');
  return 'issues' in answer ? answer.issues.map(({ title }) => title) : [];
}

/** The lists that the instances have read on the standby. */
const listsOnStandby = () => tap.statements.filter((text) => text.includes('from "issues"')).length;

async function usesStandby(service: TestService): Promise<boolean> {
  const before = listsOnStandby();
  await fetchLatest(service);
  return listsOnStandby() > before;
}

beforeEach(async () => {
  await expect.poll(standbyAnswers, { timeout: 20_000 }).toBe(true);
  for (const service of instances) {
    await expect.poll(() => usesStandby(service), { timeout: 20_000 }).toBe(true);
  }
  tap.reset();
  states.length = 0;
});

test('an answered change is in the next read of each instance, although the replica is late', async () => {
  await onStandby(`alter system set recovery_min_apply_delay = '10ms'`, 'select pg_reload_conf()');
  const changes = isSlowRun ? 25 : 8;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; n < changes; n++) {
      const title = `change ${n} of writer ${writer}`;
      await create(instance(n % 2), title);
      expect(await latestTitles(instance((n + 1) % 2))).toContain(title);
    }
  });
  await Promise.all(writers);
  // The standby answered, not only the primary.
  expect(listsOnStandby()).toBeGreaterThan(0);
  await onStandby('alter system reset recovery_min_apply_delay', 'select pg_reload_conf()');
});

test('the primary answers while the replica replays nothing, and an ETag of the replica is not confirmed', async () => {
  const etag = (await fetchLatest(instance(0))).headers.get('etag') ?? '';
  expect((await fetchLatest(instance(1), { 'if-none-match': etag })).status).toBe(304);
  await onStandby('select pg_wal_replay_pause()');
  await create(instance(0), 'while it is paused');
  expect((await fetchLatest(instance(1), { 'if-none-match': etag })).status).toBe(200);
  for (const service of instances) expect(await latestTitles(service)).toContain('while it is paused');
  expect(await standbyAnswers()).toBe(false);
  expect(states).toMatchObject([{ used: false, reason: 'it lags behind the primary' }]);
  await onStandby('select pg_wal_replay_resume()');
  await expect.poll(standbyAnswers, { timeout: 20_000 }).toBe(true);
  expect(states.at(-1)).toMatchObject({ used: true });
});

test('doctor tells how far the replica is behind', async () => {
  const { primary, standby } = postgres;
  const { detail } = await checkReplica(standby.url, primary.url);
  expect(detail).toMatch(/^Postgres \S+, \d+ ms behind the primary/);
});

describe('a read that the replica ends because of a change to replay', () => {
  const conflict = () => onPrimary('begin', 'lock table issues in access exclusive mode', 'commit');
  /** Waits until the standby has replayed what the primary has written, and so has ended what was in the way. */
  const replayed = async () => {
    const newest = 'select pg_current_wal_flush_lsn() as lsn';
    const [written] = await queryRows<{ lsn: string }>(postgres.primary, newest);
    const query = `select pg_last_wal_replay_lsn() >= '${written?.lsn}' as done`;
    await expect
      .poll(() => queryRows(postgres.standby, query), { timeout: 20_000 })
      .toEqual([{ done: true }]);
  };

  beforeAll(() => onStandby('alter system set max_standby_streaming_delay = 0', 'select pg_reload_conf()'));
  afterAll(() => onStandby('alter system reset max_standby_streaming_delay', 'select pg_reload_conf()'));

  test('is repeated by the primary', async () => {
    const answeredBy: boolean[] = [];
    const count = await databases.replica.transaction(async (tx) => {
      answeredBy.push(await tx.oneFirst(isStandby));
      if (answeredBy.length === 1) await conflict();
      // The standby cancels this statement, or the session before it.
      await tx.query(sql.unsafe`select pg_sleep(${answeredBy.length === 1 ? 10 : 0})`);
      return await tx.oneFirst(sql.unsafe`select count(*) from issues where title like 'seeded %'`);
    });
    expect(count).toBe(50);
    expect(answeredBy).toEqual([true, false]);
  });

  test('fails if some of its rows were already taken', async () => {
    const taken: number[] = [];
    const read = readLongList(databases.replica, issueList({ sort: 'created_at' }), async (rows) => {
      taken.push(...(JSON.parse(`[${rows.join()}]`) as { id: number }[]).map(({ id }) => id));
      await conflict();
      await replayed();
      return true;
    });
    await expect(read).rejects.toThrow();
    // The first rows, and no row twice.
    expect(taken).not.toEqual([]);
    expect(new Set(taken).size).toBe(taken.length);
  });
});

test('the primary takes over from a replica that freezes, also for reads that wait for it', async () => {
  const waiting = databases.replica.transaction(async (tx) => {
    if (await tx.oneFirst(isStandby)) await postgres.standby.freeze();
    return await tx.oneFirst(sql.unsafe`select count(*) from issues where title = 'while it is frozen'`);
  });
  await expect.poll(() => states.length, { timeout: 20_000 }).toBe(1);
  await create(instance(0), 'while it is frozen');
  const reads = await Promise.all(Array.from({ length: 30 }, (_, n) => latestTitles(instance(n % 2))));
  for (const titles of reads) expect(titles).toContain('while it is frozen');
  expect(await waiting).toBeLessThanOrEqual(1);
  expect(states).toMatchObject([{ used: false }]);
  expect((await instance(0).fetch('/readyz')).status).toBe(200);
  await postgres.standby.thaw();
});

test('the primary takes over from a replica that stops, and the replica is used when it is back', async () => {
  await postgres.standby.stop();
  await create(instance(0), 'while it is gone');
  for (const service of instances) expect(await latestTitles(service)).toContain('while it is gone');
  expect(await standbyAnswers()).toBe(false);
  await postgres.standby.start();
  await expect.poll(standbyAnswers, { timeout: 20_000 }).toBe(true);
  expect(states).toMatchObject([{ used: false }, { used: true }]);
});

test('a replica that is promoted is not used any more', async () => {
  await onStandby('select pg_promote()', `insert into issues (title) values ('on another primary')`);
  await create(instance(0), 'on the primary');
  for (const service of instances) {
    const titles = await latestTitles(service);
    expect(titles).toContain('on the primary');
    expect(titles).not.toContain('on another primary');
  }
  expect(await standbyAnswers()).toBe(false);
  expect(states.at(-1)).toMatchObject({ used: false, reason: 'it is not a standby' });
});
