import { sql } from 'slonik';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BackofficeError } from '../../../src/contract/errors.ts';
import { connectDatabases, type Databases } from '../../../src/db/connection/connect.ts';
import type { Database } from '../../../src/db/connection/pool.ts';
import type { RecordedFields } from '../../../src/db/outbox/record-changes.ts';
import { localOperator } from '../../../src/services/call/actor.ts';
import type { Touch } from '../../../src/services/call/changes.ts';
import { changesOf } from '../../../src/services/call/changes.ts';
import { refuse } from '../../../src/services/call/refuse.ts';
import { withClient } from '../../support/database/client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';

let database: TestDatabase;
let databases: Databases;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, so that every query shows whether it is still the same one.
  databases = connectDatabases({ databaseUrl: database.url, poolSize: 1 });
});

afterAll(async () => {
  await databases?.close();
  await database?.drop();
});

const operator = localOperator('tests');
const creation = { id: 'issues.create', changes: ['issue.created'] } as const;

/** Records a change and returns what its audit record and its event contain. */
async function record(id: string, before: RecordedFields, after: RecordedFields) {
  const operation = { id: 'issues.changeStatus', changes: ['issue.updated'] } as const;
  const change = changesOf(databases.primary, operator, operation);
  await change(async (_tx, touch) => touch({ event: 'issue.updated', id, before, after }));
  return await query(
    'select before, after, data from audit_records join events using (id) where events.subject_id = $1',
    [id],
  );
}

async function query(text: string, values: unknown[] = []) {
  return await withClient(database.url, async (client) => (await client.query(text, values)).rows);
}

/** Inserts an issue and records it, as a handler does. */
async function createIssue(tx: Database, touch: Touch, title: string): Promise<void> {
  const id = await tx.oneFirst(sql.type(z.object({ id: z.int() }))`
    insert into issues (title) values (${title}) returning id
  `);
  touch({ event: 'issue.created', id });
}

async function pidOf(connection: Database): Promise<number> {
  return await connection.oneFirst(sql.type(z.object({ pid: z.int() }))`select pg_backend_pid() as pid`);
}

test('records the first 200 characters of a long text', async () => {
  const title = (length: number) => ({ title: 'x'.repeat(length) });
  const cut = { title: `${'x'.repeat(200)}…` };
  expect(await record('long', title(1024 * 1024), title(201))).toEqual([
    { before: cut, after: cut, data: cut },
  ]);
});

test('records a text of 200 characters in full and cuts no character in half', async () => {
  const whole = { title: '🙂'.repeat(200) };
  expect(await record('emoji', whole, { title: `x${'🙂'.repeat(200)}` })).toMatchObject([
    { before: whole, after: { title: `x${'🙂'.repeat(199)}…` } },
  ]);
});

test('records values that are not texts as they are', async () => {
  const fields = { count: 7, is_set: true, none: null, ids: [1, 2] };
  expect(await record('others', fields, fields)).toEqual([{ before: fields, after: fields, data: fields }]);
});

test('changes nothing when the call is aborted during the work', async () => {
  const late = new AbortController();
  const change = changesOf(databases.primary, operator, creation, { signal: late.signal });
  const work = change(async (tx, touch) => {
    await createIssue(tx, touch, 'aborted');
    late.abort(new Error('too late'));
  });
  await expect(work).rejects.toThrow('too late');
  await expect(change(async () => expect.fail('it started'))).rejects.toThrow('too late');
  expect(await query(`select from issues where title = 'aborted'`)).toEqual([]);
});

describe('refuse', () => {
  const conflict = { code: 'conflict', text: 'It is taken.' } as const;
  const counts = async () =>
    await query(`
      select (select count(*) from issues) as issues, (select count(*) from events) as events,
        (select count(*) from audit_records) as audit_records
    `);

  test('rolls back what the work did before, records nothing and rejects with the error', async () => {
    const before = await counts();
    const change = changesOf(databases.primary, operator, creation);
    const work = change(async (tx, touch) => {
      await createIssue(tx, touch, 'refused');
      refuse(conflict);
    });
    await expect(work).rejects.toThrow(new BackofficeError(conflict));
    expect(await counts()).toEqual(before);
  });

  test('keeps the connection, which takes the next change', async () => {
    const change = changesOf(databases.primary, operator, creation);
    const pid = await pidOf(databases.primary);
    for (let refused = 0; refused < 20; refused++) {
      await expect(
        change(async (tx, touch) => {
          await createIssue(tx, touch, 'refused');
          refuse(conflict);
        }),
      ).rejects.toThrow('It is taken.');
    }
    expect(await pidOf(databases.primary)).toBe(pid);
    await change((tx, touch) => createIssue(tx, touch, 'accepted'));
    expect(await pidOf(databases.primary)).toBe(pid);
    expect(await query(`select title from issues where title in ('refused', 'accepted')`)).toEqual([
      { title: 'accepted' },
    ]);
  });

  test('keeps the connection after a statement that failed', async () => {
    const change = changesOf(databases.primary, operator, creation);
    const pid = await pidOf(databases.primary);
    const work = change(async (tx) => {
      await tx.query(sql.unsafe`select 1 / 0`).catch(() => refuse(conflict));
    });
    await expect(work).rejects.toThrow('It is taken.');
    expect(await pidOf(databases.primary)).toBe(pid);
  });

  test('replaces the connection after any other error', async () => {
    const change = changesOf(databases.primary, operator, creation);
    const pid = await pidOf(databases.primary);
    const work = change(async (tx) => await tx.query(sql.unsafe`select 1 / 0`));
    await expect(work).rejects.toThrow();
    expect(await pidOf(databases.primary)).not.toBe(pid);
  });

  test('replaces a connection that the server has ended', async () => {
    const change = changesOf(databases.primary, operator, creation);
    const work = change(async (tx) => {
      await query('select pg_terminate_backend($1)', [await pidOf(tx)]);
      await tx.query(sql.unsafe`select 1`).catch(() => refuse(conflict));
    });
    await expect(work).rejects.toThrow();
    await change((tx, touch) => createIssue(tx, touch, 'after the end'));
  });
});
