import type { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();
let one: Client;
let other: Client;

const who = '{"kind":"operator","name":"tests","door":"cli","address":""}';

const record = (client: Client, id: string) =>
  client.query('select record_changes($1, $2, $3)', [
    who,
    'issues.create',
    JSON.stringify([{ event: 'issue.created', id, after: { title: id } }]),
  ]);

beforeAll(async () => {
  one = await own.connect();
  other = await own.connect();
});

describe('the database keeps the audit trail append-only', () => {
  beforeAll(async () => {
    await record(one, 'kept');
    await one.query(`
      insert into audit_records (id, created_at, actor_kind, actor_name, door, operation, event)
      values (-1, now() - interval '40 days', 'operator', 'tests', 'cli', 'issues.create', 'issue.created')
    `);
  });

  beforeEach(() => one.query(`delete from settings`));

  const retention = (days: string) =>
    one.query(`insert into settings (setting_key, setting_value) values ('audit_retention_days', $1)`, [
      days,
    ]);

  test.for([
    ["update audit_records set actor_name = 'another'", 'audit_records is append-only'],
    ["update audit_records set actor_name = 'another' where false", 'audit_records is append-only'],
    ['truncate audit_records', 'audit_records is append-only'],
    ['delete from audit_records where id > 0', 'keeps its rows'],
    ['delete from audit_records where id = -1', 'keeps its rows'],
  ] as const)('and rejects: %s', async ([statement, refused]) => {
    await expect(one.query(statement)).rejects.toThrow(refused);
  });

  test.for(['0', '-1', '1.5', 'forever', '', '123456'])(
    'a retention of %j days keeps everything',
    async (days) => {
      await retention(days);
      await expect(one.query('delete from audit_records where id = -1')).rejects.toThrow('keeps its rows');
    },
  );

  test('a retention of less than 30 days counts as 30', async () => {
    await retention('1');
    await one.query('begin');
    expect(await one.query('delete from audit_records where id = -1')).toMatchObject({ rowCount: 1 });
    await one.query('rollback');
    await expect(one.query('delete from audit_records')).rejects.toThrow('keeps its rows');
  });
});

test('a transaction that hangs after it has recorded delays neither the changes of others nor their events', async () => {
  await one.query('begin');
  await record(one, 'hangs');
  await record(other, 'passes');
  const seen = `select subject_id from events where subject_id in ('hangs', 'passes') order by id`;
  expect((await other.query(seen)).rows).toEqual([{ subject_id: 'passes' }]);
  await one.query('commit');
  expect((await other.query(seen)).rows).toEqual([{ subject_id: 'passes' }, { subject_id: 'hangs' }]);
});

test('a change that is rolled back leaves neither an event nor a record', async () => {
  await one.query('begin');
  await record(one, 'undone');
  await one.query('rollback');
  const { rows } = await one.query(`
    select id from events where subject_id = 'undone' union select id from audit_records where subject_id = 'undone'
  `);
  expect(rows).toEqual([]);
});

test('listeners are notified by a publication, and only by a publication', async () => {
  const notifications: string[] = [];
  other.on('notification', ({ channel }) => void notifications.push(channel));
  await other.query('listen backoffice_events');
  await record(one, 'heard');
  await other.query('select');
  expect(notifications).toEqual([]);
  await one.query('select publish_changes()');
  await expect.poll(() => notifications).toEqual(['backoffice_events']);
});
