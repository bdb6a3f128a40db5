import type { Client } from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteOldEvents, selectEvents } from '../../../src/db/outbox/events.ts';
import { Publisher, type PublisherOptions } from '../../../src/db/outbox/publisher.ts';
import { databaseHere } from '../../support/postgres.ts';
import { publishedIn, record as recordIn } from './record.ts';

const own = databaseHere();
const publishers: Publisher[] = [];
let client: Client;

beforeAll(async () => {
  client = await own.connect();
});
beforeEach(() => own.sql('delete from events'));
afterEach(async () => {
  for (const publisher of publishers.splice(0)) await publisher.close();
});

function open(options: Partial<PublisherOptions> = {}): Publisher {
  const publisher = new Publisher({ databaseUrl: own.url, onLost: () => {}, ...options });
  publishers.push(publisher);
  return publisher;
}

const record = (id: string) => recordIn(client, [id]);
const published = () => publishedIn(own);

const publishing = `datname = current_database() and query like '%from publish_changes(%' and pid <> pg_backend_pid()`;

test('a flush resolves when everything that was committed before is published', async () => {
  const publisher = open();
  for (let round = 0; round < 20; round++) {
    // The one that runs already may be too early for the change.
    publisher.wake();
    await record(String(round));
    await publisher.flush();
    expect((await published()).at(-1)).toBe(String(round));
  }
});

test('a close publishes what is due', async () => {
  const publisher = open();
  await record('last');
  publisher.wake();
  await publisher.close();
  expect(await published()).toEqual(['last']);
  await expect(publisher.flush()).rejects.toThrow('closed');
});

test('tries again after its connection was ended, and reports the loss once', async () => {
  const lost: unknown[] = [];
  const publisher = open({ onLost: (error) => lost.push(error) });
  await publisher.flush();
  await own.sql(`select pg_terminate_backend(pid) from pg_stat_activity where ${publishing}`);
  await record('after');
  publisher.wake();
  await expect.poll(published).toEqual(['after']);
  expect(lost.length).toBeLessThanOrEqual(1);
});

test('waits for another publisher, and is not held up by a process that has frozen', async () => {
  const publisher = open();
  await record('waits');
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('events'))`);
  const flushed = publisher.flush();
  const waiting = `select from pg_stat_activity where ${publishing} and wait_event_type = 'Lock'`;
  await expect.poll(() => own.sql(waiting)).toHaveLength(1);
  await client.query('commit');
  await flushed;
  expect(await published()).toEqual(['waits']);
  // Between its publications it has neither a transaction nor a lock.
  const rows = await own.sql(`select distinct state from pg_stat_activity where ${publishing}`);
  expect(rows).toEqual([{ state: 'idle' }]);
});

test('a batch that takes too long is followed by shorter ones', async () => {
  const publisher = open({ statementTimeoutMs: 200 });
  const subjects = Array.from({ length: 500 }, (_, index) => String(index));
  await client.query(`
    create function delay_events() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(0.001 * (select count(*) from inserted));
      return null;
    end
    $$;
    create trigger delay_events after insert on events referencing new table as inserted
    for each statement execute function delay_events();
  `);
  try {
    for (const subject of subjects) await record(subject);
    publisher.wake();
    await expect.poll(published).toEqual(subjects);
  } finally {
    await client.query('drop function delay_events cascade');
  }
});

test('the database keeps the audit trail append-only, and for 30 days or as long as a longer retention says', async () => {
  await record('kept');
  await own.sql(`
    insert into audit_records (id, created_at, actor_kind, actor_name, door, operation, event)
    values (-1, now() - interval '40 days', 'operator', 'tests', 'cli', 'issues.create', 'issue.created')
  `);
  for (const change of [
    `update audit_records set actor_name = 'another'`,
    `update audit_records set actor_name = 'another' where false`,
    'truncate audit_records',
  ])
    await expect(own.sql(change)).rejects.toThrow('audit_records is append-only');

  const deleteOld = 'delete from audit_records where id = -1';
  const isKept = () => expect(own.sql(deleteOld)).rejects.toThrow('keeps its rows');
  await isKept();
  await own.sql(`insert into settings (setting_key, setting_value) values ('audit_retention_days', '')`);
  for (const days of ['0', '-1', '1.5', 'forever', '', '123456', '50']) {
    await own.sql('update settings set setting_value = $1', [days]);
    await isKept();
  }
  // Less than 30 days count as 30.
  await own.sql(`update settings set setting_value = '1'`);
  await expect(own.sql('delete from audit_records')).rejects.toThrow('keeps its rows');
  expect(await own.sql(`${deleteOld} returning id`)).toHaveLength(1);
});

describe('events', () => {
  beforeEach(() => own.sql('truncate events restart identity'));

  test.for<[what: string, ages: number[], days: number, batch: number, deleted: number[], left: number[]]>([
    ['in batches, oldest first', [20, 10, 8, 7.1, 6.9, 0], 7, 3, [3, 1, 0], [5, 6]],
    ['but the newest one is kept, however old it is', [30, 20], 7, 100, [1, 0], [2]],
    ['and none too early if an old transaction has committed late', [10, 6, 9, 1], 7, 9, [1], [2, 3, 4]],
    ['with all before them, also those that were committed late', [10, 6, 9, 1], 5, 9, [3], [4]],
    ['also those after one of a clock that was ahead', [10, -300, 9, 1], 7, 100, [3], [4]],
  ])('that are older than the days are deleted %s', async ([, ages, days, batch, deleted, left]) => {
    await own.sql(
      `insert into events (type, actor, created_at, data)
       select 'issue.created', 'tests', now() - age * interval '1 day', '{}'
       from unnest($1::float[]) with ordinality as given (age, place) order by place`,
      [ages],
    );
    for (const count of deleted) expect(await deleteOldEvents(own.pool, days, batch)).toBe(count);
    expect((await own.sql('select id::int from events order by id')).map(({ id }) => id)).toEqual(left);
  });

  test('are read in pages that are limited by their size, and have at least one event', async () => {
    await own.sql(`
      insert into events (type, actor, data)
      select 'issue.created', 'tests', jsonb_build_object('title', repeat('x', size))
      from unnest(array[300000, 300000, 2000000, 10]) with ordinality as given (size, place) order by place
    `);
    const pages: number[][] = [];
    for (let after = 0; after < 4; after = pages.at(-1)?.at(-1) ?? 4) {
      pages.push((await selectEvents(own.pool, after)).map(({ id }) => id));
    }
    expect(pages).toEqual([[1, 2], [3], [4]]);
    expect(await selectEvents(own.pool, 4)).toEqual([]);
  });
});
