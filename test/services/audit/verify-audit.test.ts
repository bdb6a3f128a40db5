import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { restoreBackup } from '../../../src/db/backup/restore-backup.ts';
import { writeBackup } from '../../../src/db/backup/write-backup.ts';
import { openDatabase } from '../../../src/db/connection/database.ts';
import { describeDatabaseError } from '../../../src/db/connection/errors.ts';
import { type VerifyOptions, verifyAudit } from '../../../src/services/audit/verify-audit.ts';
import { programVersion } from '../../../src/version.ts';
import { withClient } from '../../support/postgres/server.ts';
import { createEmptyDatabase, databaseHere } from '../../support/postgres.ts';
import { backoffice } from '../../support/run.ts';

const own = databaseHere();

const who = { kind: 'operator', name: 'tests', door: 'cli', address: '' };

/** Records a change in a transaction of its own, which is published later. */
const record = (subject: string, at = 'now') =>
  own.sql(
    `insert into recorded_changes (origin, operation, event, subject_id, after, created_at)
     values ($1, 'issues.create', 'issue.created', $2, $3, $4)`,
    [who, subject, { title: subject, text: 'null "quoted"\n\\' }, at],
  );
const publish = () => own.sql('select publish_changes()');

/** Several batches. */
const verify = (options: VerifyOptions = {}) => verifyAudit(own.pool, { batchSize: 3, ...options });

/** As a superuser can: no trigger refuses it. */
const withoutTriggers = (sql: string) =>
  own.sql(`begin; set local session_replication_role = replica; ${sql}; commit`);

/** Runs work on a trail that was changed, then puts the trail back. */
async function withTampered<T>(sql: string, work: () => Promise<T>): Promise<T> {
  await own.sql('create table kept as table audit_records; create table kept_events as table events');
  try {
    await withoutTriggers(sql);
    return await work();
  } finally {
    await withoutTriggers(`
      truncate audit_records, events;
      insert into audit_records select * from kept;
      insert into events select * from kept_events;
      drop table kept, kept_events
    `);
  }
}

async function idOf(subject: string): Promise<number> {
  const [row] = await own.sql('select id::integer from audit_records where subject_id = $1', [subject]);
  return row?.id;
}

beforeAll(async () => {
  for (let n = 1; n <= 10; n++) {
    await record(`r${n}`);
    if (n % 2 === 0) await publish();
  }
});

test('records that several instances publish at once make one chain', async () => {
  const instances = await Promise.all([own.connect(), own.connect(), own.connect()]);
  let isWriting = true;
  const publishing = instances.map(async (instance) => {
    while (isWriting) await instance.query('select publish_changes(null, 3)');
  });
  for (let n = 1; n <= 60; n++) await record(`many ${n}`);
  isWriting = false;
  await Promise.all(publishing);
  await publish();
  expect(await verify()).toMatchObject({ valid: true, verified: 70, after: 0, unproven: 0, problem: null });
});

describe('a trail that somebody with all rights has changed is not intact:', () => {
  const update = (set: string) => `update audit_records set ${set} where subject_id = 'r4'`;
  const digest = `audit_digest(id, created_at, 'admin', actor_id, actor_name, door, address, operation, event, subject_id, before, after)`;

  test.for([
    ['a changed field', 'r4', update(`actor_name = 'x'`), 'was changed'],
    [
      'a changed record with its digest',
      'r4',
      update(`actor_kind = 'admin', digest = ${digest}`),
      'does not follow',
    ],
    ['a deleted record', 'r5', `delete from audit_records where subject_id = 'r4'`, 'does not follow'],
    [
      'an added record',
      '',
      `insert into audit_records (id, actor_kind, actor_name, door, operation, event) values (1e9, 'admin', 'a', 'http', 'o', 'e')`,
      'not written by the service',
    ],
    [
      'an unrecorded redaction',
      'r4',
      update(`after = '{}', redacted_at = now()`),
      'no record says that it was',
    ],
    [
      'newest records that were deleted',
      '',
      `delete from audit_records where id > (select id from audit_records where subject_id = 'r8')`,
      'only its event is left',
    ],
  ] as const)('%s', async ([, subject, change, message]) => {
    const id = subject === '' ? undefined : await idOf(subject);
    await withTampered(change, async () => {
      const { valid, problem } = await verify();
      expect([valid, problem?.message]).toEqual([false, expect.stringContaining(message)]);
      if (id !== undefined) expect(problem?.id).toBe(id);
    });
  });
});

// The audit's test over HTTP has an expected end of another trail.
test('an expected end of the chain shows what the trail itself cannot: deleted newest records', async () => {
  const { last } = await verify();
  expect(await verify({ expected: last })).toMatchObject({ valid: true });
  await record('one more');
  await publish();
  expect(await verify({ expected: last })).toMatchObject({ valid: true });
  const cut = `delete from audit_records where id >= ${last.id}; delete from events where id >= ${last.id}`;
  await withTampered(cut, async () => {
    expect(await verify()).toMatchObject({ valid: true });
    expect(await verify({ expected: last })).toMatchObject({
      problem: { id: last.id, message: expect.stringContaining('the newest records were deleted') },
    });
    await record('after the cut');
    await publish();
    // Another record took the place of those that are gone.
    expect(await verify({ expected: last })).toMatchObject({
      problem: { id: last.id, message: expect.stringContaining('but it was deleted') },
    });
  });
});

test('waits for a lock no longer than a request may, so that a request keeps no connection after its error', async () => {
  const timeouts = { connectionMs: 30_000, statementMs: 30_000, lockMs: 100 };
  const pool = openDatabase({ databaseUrl: own.url, maxConnections: 1, timeouts });
  const other = await own.connect();
  await other.query('begin; lock table audit_records');
  const error = await verifyAudit(pool).catch((thrown: unknown) => thrown);
  await other.query('rollback');
  await pool.close();
  expect(describeDatabaseError(error)).toContain('locked');
});

test('the command prints the end of the chain, and exits with 1 at the first problem', async () => {
  const env = { DATABASE_URL: own.url };
  const { last, verified } = await verify();
  const end = `${last.id}:${last.chain}`;
  expect(await backoffice(['audit', 'verify', '--expect', end], { env })).toMatchObject({
    code: 0,
    stdout: `${verified} audit records are intact.\nEnd of the chain: ${end}\n`,
  });
  expect(await backoffice(['audit', 'verify', '--expect', 'x'], { env })).toMatchObject({ code: 2 });
  await withTampered(`delete from audit_records where subject_id = 'r4'`, async () => {
    const failed = await backoffice(['audit', 'verify', '--json'], { env });
    const stderr = expect.stringContaining('a record between them was deleted');
    expect(failed).toMatchObject({ code: 1, stderr });
    const problem = { id: await idOf('r5') };
    expect(JSON.parse(failed.stdout)).toMatchObject({ valid: false, verified: 3, problem });
  });
});

test('a redaction keeps the chain intact and is recorded', async () => {
  const id = await idOf('r4');
  await own.sql(`
    begin;
    select set_config('backoffice.redacts_audit', pg_current_xact_id()::text, true);
    update audit_records set after = '{}', redacted_at = now() where id = ${id};
    commit
  `);
  // Before the record of it is published, and after.
  expect(await verify()).toMatchObject({ valid: true });
  const recorded = await own.sql(`select after from audit_records where event = 'audit.redacted'`);
  expect(recorded).toEqual([{ after: { records: 1, ids: [id] } }]);
  expect(await verify()).toMatchObject({ valid: true });
  await expect(own.sql(`update audit_records set after = '{}'`)).rejects.toThrow('append-only');
});

test('a restored backup has the same chain, which goes on', async () => {
  const output = new PassThrough();
  const written = buffer(output);
  await writeBackup({ databaseUrl: own.url, program: programVersion(), output });
  const { last } = await verify();
  const restored = await createEmptyDatabase();
  try {
    await restoreBackup({ databaseUrl: restored.url, input: Readable.from([await written]), replace: false });
    await withClient(restored.url, async (client) => {
      await client.query(
        `insert into recorded_changes (origin, operation, event) values ($1, 'o', 'issue.created')`,
        [who],
      );
      await client.query('select publish_changes()');
    });
    const pool = openDatabase({ databaseUrl: restored.url, maxConnections: 1 });
    const found = await verifyAudit(pool, { expected: last });
    await pool.close();
    expect(found.problem).toBeNull();
    expect(found.last.id).toBeGreaterThan(last.id);
  } finally {
    await restored.drop();
  }
});

test('the retention deletes the oldest records, and the rest can still be verified', async () => {
  const { last, verified } = await verify();
  const [fourth] = await own.sql('select id::integer from audit_records order by id desc offset 3 limit 1');
  const after: number = fourth?.id;
  await withoutTriggers(
    `update audit_records set created_at = now() - interval '40 days' where id <= ${after}`,
  );
  await own.sql(`insert into settings (setting_key, setting_value) values ('audit_retention_days', '30')`);
  const middle = `delete from audit_records where id between ${after - 2} and ${after - 1}`;
  await expect(own.sql(middle)).rejects.toThrow('in the order of their ids');
  const purge = (rows: number) => own.sql('select purge_audit_records($1)::integer as purged', [rows]);
  expect(await purge(5)).toEqual([{ purged: 5 }]);
  expect(await purge(1_000)).toEqual([{ purged: verified - 5 - 3 }]);
  expect(await verify({ expected: last })).toMatchObject({ valid: true, verified: 3, after, unproven: 0 });
  expect(await verify({ expected: { id: 1, chain: last.chain } })).toMatchObject({
    problem: { message: expect.stringContaining('older than what the retention has deleted') },
  });
});
