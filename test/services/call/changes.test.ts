import { sql } from 'slonik';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { BackofficeError, type ErrorCode } from '../../../src/contract/errors.ts';
import { type Database, openDatabase } from '../../../src/db/connection/database.ts';
import type { ChangedRow } from '../../../src/db/outbox/record-changes.ts';
import { localOperator } from '../../../src/services/call/actor.ts';
import { type Change, changesOf, type RecordChange } from '../../../src/services/call/changes.ts';
import { refuse } from '../../../src/services/call/refuse.ts';
import { noDeadline } from '../../../src/services/context.ts';
import { keyOfCall, runOnce } from '../../../src/services/idempotency/run-once.ts';
import { databaseHere } from '../../support/postgres.ts';

/** One connection: a call must not need a second one. */
const own = databaseHere(1);

const operator = localOperator('tests');
const creation = { id: 'issues.create', changes: ['issue.created'] } as const;

const conflict = { code: 'conflict', text: 'It is taken.' } as const;

/** Records a change and returns what its audit record and its event contain. */
async function recordedOf(row: ChangedRow) {
  const change = changesOf(own.pool, operator, { id: 'issues.create', changes: [row.event] });
  await change(async (_tx, record) => record(row));
  return await own.sql(
    'select before, after, data from audit_records join events using (id) where events.subject_id = $1',
    [row.id],
  );
}

/** The data of an event about a new issue. */
const newIssue = (title: string) => ({ title, category: 'Other', severity: 'Low', status: 'Open' }) as const;

/** Inserts an issue and records it, as a handler does. */
async function createIssue(tx: Database, record: RecordChange, title: string): Promise<void> {
  const id = await tx.oneFirst(sql.type(z.object({ id: z.int() }))`
    insert into issues (title) values (${title}) returning id
  `);
  record({ event: 'issue.created', id, after: newIssue(title) });
}

const pidOf = (db: Database) =>
  db.oneFirst(sql.type(z.object({ pid: z.int() }))`select pg_backend_pid() as pid`);

test('records the first 200 characters of each text, also within lists and objects, and other values as they are', async () => {
  const [long, cut] = ['x'.repeat(201), `${'x'.repeat(200)}…`];
  const full = '🙂'.repeat(200);
  const before = { count: 7, is_set: true, none: null, full, set: { title: long } };
  const after = { origin: `x${full}`, events: [long, 'y'], description: '', is_active: 1 };
  const shown = { ...after, origin: `x${'🙂'.repeat(199)}…`, events: [cut, 'y'] };
  expect(await recordedOf({ event: 'webhook.created', id: 'long', before, after })).toEqual([
    { before: { ...before, set: { title: cut } }, after: shown, data: shown },
  ]);
});

test('the data of an event is what a deleted row was', async () => {
  const before = { issue_id: 1, conversation_id: 'conv_1' };
  expect(await recordedOf({ event: 'link.deleted', id: 'deleted', before })).toEqual([
    { before, after: null, data: before },
  ]);
});

test('data with a field that its schema does not declare is refused, and nothing changes', async () => {
  const change = changesOf(own.pool, operator, creation);
  const after = Object.assign(newIssue('x'), { password: 'secret' });
  const work = change(async (tx, record) => {
    await createIssue(tx, record, 'undocumented');
    record({ event: 'issue.created', id: 'undocumented', after });
  });
  await expect(work).rejects.toThrow('The data of issue.created does not match its schema');
  expect(await own.sql(`select from issues where title = 'undocumented'`)).toEqual([]);
});

test('changes nothing, and goes on with nothing, when the call is aborted during the work', async () => {
  const late = new AbortController();
  const change = changesOf(own.pool, operator, creation, { signal: late.signal });
  const work = change(async (tx, record) => {
    await createIssue(tx, record, 'aborted');
    late.abort(new Error('too late'));
    await createIssue(tx, record, 'later');
    expect.fail('it went on');
  });
  await expect(work).rejects.toThrow('too late');
  await expect(change(async () => expect.fail('it started'))).rejects.toThrow('too late');
  expect(await own.sql(`select from issues where title = 'aborted'`)).toEqual([]);
});

test('a refusal rolls back what the work did before, and records nothing', async () => {
  const counts = () =>
    own.sql(
      'select (select count(*) from issues) as issues, (select count(*) from audit_records) as records',
    );
  const before = await counts();
  const work = changesOf(
    own.pool,
    operator,
    creation,
  )(async (tx, record) => {
    await createIssue(tx, record, 'refused');
    refuse(conflict);
  });
  await expect(work).rejects.toThrow(new BackofficeError(conflict));
  expect(await counts()).toEqual(before);
});

describe('the key of a call', () => {
  const admin = { ...localOperator('ada'), kind: 'admin', id: 'admin_1' } as const;

  test('opens an answer that it sealed, and that nobody has changed', () => {
    const key = keyOfCall('a', admin, 'issues.create', {});
    const sealed = key.seal('{"secret":"Žluťoučký 🙂"}');
    expect(sealed.toString()).not.toContain('secret');
    expect(key.open(sealed)).toBe('{"secret":"Žluťoučký 🙂"}');
    expect(() => keyOfCall('b', admin, 'issues.create', {}).open(sealed)).toThrow();
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    expect(() => key.open(sealed)).toThrow();
  });

  test('has the same fingerprint for inputs with the same values, and cannot be guessed from an input', () => {
    const fingerprint = (input: unknown, key = 'a') =>
      keyOfCall(key, admin, 'issues.create', input).fingerprint.toString('hex');
    const nested = { a: 1, b: { c: [1, 2], d: null } };
    const same = fingerprint(nested);
    expect(fingerprint({ b: { d: null, c: [1, 2] }, a: 1 })).toBe(same);
    const others = [
      { a: 1, b: { c: [2, 1], d: null } },
      { a: '1', b: { c: [1, 2], d: null } },
      { a: 1, b: { c: [1, 2] } },
    ].map((input) => fingerprint(input));
    expect(new Set([same, fingerprint(nested, 'b'), ...others]).size).toBe(others.length + 2);
  });

  test('finds, recognizes and reads what an earlier version of the service stored', () => {
    const key = keyOfCall('a key', admin, 'issues.create', { title: 'T', severity: 'High' });
    expect(key.id.toString('hex')).toBe('31ef851ba953ae11f974b0167a633879f93cfac87ac5599fc3ac3a170fe129e0');
    const fingerprint = '40e9befc4f4e6ae967688551bab9f7d4c00a096da03875b5acbfab1775c30b32';
    expect(key.fingerprint.toString('hex')).toBe(fingerprint);
    const sealed = '3ae5b00d57d8766ad523c251e5654c8bf850019489fa2d058c1fbcc2897eaa3f29297a18e3187c8a8dd97a';
    expect(key.open(Buffer.from(sealed, 'hex'))).toBe('{"answer":"{}"}');
  });
});

describe('a call with a key', () => {
  beforeEach(() => own.sql('truncate issues, idempotency_keys'));

  type Run = (tx: Database, changes: { readonly change: Change }) => Promise<string>;

  /** Runs work once under the key `key`. Resolves with its answer, and whether it is a stored one. */
  async function once(run: Run, { signal = noDeadline, pool = own.pool } = {}) {
    let isReplay = false;
    const key = keyOfCall('key', operator, creation.id, {});
    const onReplay = () => {
      isReplay = true;
    };
    const answer = await runOnce({ pool, key, signal, onReplay }, (tx) =>
      run(tx, { change: changesOf(tx, operator, creation) }),
    );
    return { answer, isReplay };
  }

  const titles = async () =>
    (await own.sql('select title from issues order by id')).map(({ title }) => title);

  const create =
    (title: string): Run =>
    async (_tx, { change }) => {
      await change((tx, record) => createIssue(tx, record, title));
      return `"${title}"`;
    };

  const forbiddenToRun: Run = async () => expect.fail('it ran again');

  test('changes of one call share its transaction and are recorded in their order', async () => {
    await once(async (tx, { change }) => {
      await change((savepoint, record) => createIssue(savepoint, record, 'first'));
      expect(await titles()).toEqual([]);
      await change((savepoint, record) => createIssue(savepoint, record, 'second'));
      // What the call has done so far is visible to itself only.
      expect(await tx.one(sql.unsafe`select count(*)::int from issues`)).toEqual({ count: 2 });
      return '""';
    });
    expect(await titles()).toEqual(['first', 'second']);
    const records = "select after ->> 'title' as title from audit_records order by id desc limit 2";
    expect(await own.sql(records)).toEqual([{ title: 'second' }, { title: 'first' }]);
  });

  test('a refused change is rolled back, an earlier one of the call stays, and the refusal is the stored answer', async () => {
    const run: Run = async (_tx, { change }) => {
      await change((tx, record) => createIssue(tx, record, 'kept'));
      await change(async (tx, record) => {
        await createIssue(tx, record, 'refused');
        refuse(conflict);
      });
      return '""';
    };
    await expect(once(run)).rejects.toThrow(new BackofficeError(conflict));
    expect(await titles()).toEqual(['kept']);
    await expect(once(forbiddenToRun)).rejects.toMatchObject({ code: 'conflict', message: 'It is taken.' });
  });

  test.for<ErrorCode>(['unauthenticated', 'forbidden', 'rate_limited', 'busy', 'failed'])(
    'a call that is rejected with %s may run again',
    async (code) => {
      await expect(once(async () => refuse({ code, text: 'Not now.' }))).rejects.toMatchObject({ code });
      expect(await once(create('later'))).toEqual({ answer: '"later"', isReplay: false });
      expect(await once(forbiddenToRun)).toEqual({ answer: '"later"', isReplay: true });
    },
  );

  test('a call whose caller has received a timeout error changes nothing, and may run again', async () => {
    const late = new AbortController();
    const run: Run = async (tx, changes) => {
      const answer = await create('late')(tx, changes);
      late.abort(new Error('too late'));
      return answer;
    };
    await expect(once(run, { signal: late.signal })).rejects.toThrow('too late');
    await expect(once(forbiddenToRun, { signal: late.signal })).rejects.toThrow('too late');
    expect(await titles()).toEqual([]);
    expect(await once(create('in time'))).toMatchObject({ isReplay: false });
  });

  test('a call whose connection dies changes nothing and frees its key', async () => {
    const other = openDatabase({ databaseUrl: own.url, maxConnections: 1 });
    onTestFinished(() => other.close());
    const dies: Run = async (tx, changes) => {
      await create('dying')(tx, changes);
      const inUse = { code: 'idempotency_key_in_use', retryAfter: 1 };
      await expect(once(forbiddenToRun)).rejects.toMatchObject(inUse);
      await own.sql('select pg_terminate_backend($1)', [await pidOf(tx)]);
      return '"dying"';
    };
    await expect(once(dies, { pool: other })).rejects.toThrow();
    // The client learns of the end a moment before Postgres gives the key back.
    const survivor = () => once(create('survivor')).catch(String);
    await expect.poll(survivor, { interval: 5 }).toEqual({ answer: '"survivor"', isReplay: false });
    expect(await titles()).toEqual(['survivor']);
  });
});
