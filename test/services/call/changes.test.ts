import { sql } from 'slonik';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BackofficeError } from '../../../src/contract/errors.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import type { ChangedRow } from '../../../src/db/outbox/record-changes.ts';
import { localOperator } from '../../../src/services/call/actor.ts';
import { changesOf, type RecordChange } from '../../../src/services/call/changes.ts';
import { refuse } from '../../../src/services/call/refuse.ts';
import { databaseHere } from '../../support/postgres.ts';

/** One connection, so that every query shows whether it is still the same one. */
const own = databaseHere(1);

const operator = localOperator('tests');
const creation = { id: 'issues.create', changes: ['issue.created'] } as const;

/** Records a change and returns what its audit record and its event contain. */
async function recordedOf(row: ChangedRow) {
  const change = changesOf(own.pool, operator, { id: 'issues.create', changes: [row.event] });
  await change(async (_tx, record) => record(row));
  return await query(
    'select before, after, data from audit_records join events using (id) where events.subject_id = $1',
    [row.id],
  );
}

/** The data of an event about a new issue. */
const newIssue = (title: string) => ({ title, category: 'Other', severity: 'Low', status: 'Open' }) as const;

const query = async (text: string, values: unknown[] = []) => (await own.client.query(text, values)).rows;

/** Inserts an issue and records it, as a handler does. */
async function createIssue(tx: Database, record: RecordChange, title: string): Promise<void> {
  const id = await tx.oneFirst(sql.type(z.object({ id: z.int() }))`
    insert into issues (title) values (${title}) returning id
  `);
  record({ event: 'issue.created', id, after: newIssue(title) });
}

async function pidOf(connection: Database): Promise<number> {
  return await connection.oneFirst(sql.type(z.object({ pid: z.int() }))`select pg_backend_pid() as pid`);
}

test('records the first 200 characters of each text, also within lists and objects, and other values as they are', async () => {
  const [long, cut] = ['x'.repeat(201), `${'x'.repeat(200)}…`];
  const before = { count: 7, is_set: true, none: null, set: { title: 'x'.repeat(1024 * 1024) } };
  const after = { origin: 'https://a.example', events: [long, 'y'], description: '', is_active: 1 };
  const shown = { ...after, events: [cut, 'y'] };
  expect(await recordedOf({ event: 'webhook.created', id: 'long', before, after })).toEqual([
    { before: { ...before, set: { title: cut } }, after: shown, data: shown },
  ]);
});

test('records a text of 200 characters in full and cuts no character in half', async () => {
  const before = { title: '🙂'.repeat(200) };
  const after = newIssue(`x${'🙂'.repeat(200)}`);
  expect(await recordedOf({ event: 'issue.created', id: 'emoji', before, after })).toMatchObject([
    { before, after: newIssue(`x${'🙂'.repeat(199)}…`) },
  ]);
});

describe('the data of an event', () => {
  test.for<[string, object]>([
    ['lacks a field', { title: 'x', category: 'Other', severity: 'Low' }],
    ['has a wrong value', { ...newIssue('x'), status: 'Opne' }],
    ['has a field that its schema does not declare', { ...newIssue('x'), password: 'secret' }],
  ])('is refused if it %s, and nothing changes', async ([_case, data]) => {
    const change = changesOf(own.pool, operator, creation);
    const work = change(async (tx, record) => {
      await createIssue(tx, record, 'undocumented');
      record({ event: 'issue.created', id: 'undocumented', after: data as ReturnType<typeof newIssue> });
    });
    await expect(work).rejects.toThrow('The data of issue.created does not match its schema');
    expect(await query(`select from issues where title = 'undocumented'`)).toEqual([]);
    expect(await query(`select from events where subject_id = 'undocumented'`)).toEqual([]);
  });

  test('is what a deleted row was', async () => {
    const before = { issue_id: 1, conversation_id: 'conv_1' };
    expect(await recordedOf({ event: 'link.deleted', id: 'deleted', before })).toEqual([
      { before, after: null, data: before },
    ]);
  });
});

test('changes nothing when the call is aborted during the work', async () => {
  const late = new AbortController();
  const change = changesOf(own.pool, operator, creation, { signal: late.signal });
  const work = change(async (tx, record) => {
    await createIssue(tx, record, 'aborted');
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

  test('rolls back what the work did before, records nothing and keeps the connection for the next change', async () => {
    const [before, pid] = [await counts(), await pidOf(own.pool)];
    const change = changesOf(own.pool, operator, creation);
    for (let refused = 0; refused < 20; refused++) {
      const work = change(async (tx, record) => {
        await createIssue(tx, record, 'refused');
        refuse(conflict);
      });
      await expect(work).rejects.toThrow(new BackofficeError(conflict));
    }
    expect(await counts()).toEqual(before);
    await change((tx, record) => createIssue(tx, record, 'accepted'));
    expect(await pidOf(own.pool)).toBe(pid);
  });

  test.each([
    ['a statement that failed', () => refuse(conflict), 'It is taken.'],
    ['any other error', () => Promise.reject(new Error('Broken.')), 'Broken.'],
  ])('keeps the connection after %s', async (_, afterwards, message) => {
    const change = changesOf(own.pool, operator, creation);
    const pid = await pidOf(own.pool);
    const work = change(async (tx) => {
      await tx.query(sql.unsafe`select 1 / 0`).catch(afterwards);
    });
    await expect(work).rejects.toThrow(message);
    expect(await pidOf(own.pool)).toBe(pid);
  });
});

test('fails on a connection that the server has ended, and the next change gets another one', async () => {
  const change = changesOf(own.pool, operator, creation);
  const work = change(async (tx, record) => {
    await query('select pg_terminate_backend($1)', [await pidOf(tx)]);
    await createIssue(tx, record, 'during the end');
  });
  await expect(work).rejects.toThrow();
  await change((tx, record) => createIssue(tx, record, 'after the end'));
  expect(await query(`select title from issues where title like '%the end'`)).toEqual([
    { title: 'after the end' },
  ]);
});
