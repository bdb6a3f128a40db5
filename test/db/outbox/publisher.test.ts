import type { Client } from 'pg';
import { afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import type { StoredEvent } from '../../../src/db/outbox/events.ts';
import { Publisher, type PublisherOptions } from '../../../src/db/outbox/publisher.ts';
import { asRuntime, databaseHere } from '../../support/postgres.ts';
import { publishedIn, record as recordIn } from './record.ts';

const own = databaseHere();
const publishers: Publisher[] = [];
let client: Client;

beforeAll(async () => {
  client = await own.connect();
});
beforeEach(() => own.client.query('delete from events'));
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

test('hands the events after the position of a reader over, and knows the notifications of its own', async () => {
  const taken: StoredEvent[] = [];
  const reader = {
    position: 0,
    take(events: readonly StoredEvent[], after: number) {
      expect(after).toBe(reader.position);
      taken.push(...events);
      reader.position = events.at(-1)?.id ?? after;
    },
  };
  const publisher = open({ reader: () => reader });
  await record('earlier');
  await open().flush();
  await record('own');
  await publisher.flush();
  expect(taken.map(({ subject_id }) => subject_id)).toEqual(['earlier', 'own']);
  await publisher.flush();
  expect(taken).toHaveLength(2);
  const { rows } = await own.client.query(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  expect(rows.filter(({ pid }) => publisher.isOwn(pid))).toHaveLength(1);
});

test('polling publishes what a killed process left behind', async () => {
  const publisher = open();
  publisher.startPolling();
  await record('left');
  await expect.poll(published).toEqual(['left']);
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
  await own.client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${publishing}`);
  await record('after');
  publisher.wake();
  await expect.poll(published).toEqual(['after']);
  expect(lost.length).toBeLessThanOrEqual(1);
});

test('reports missing rights only if they stay missing: migrations grant them at their end', async () => {
  const { runtime } = inject('roles');
  const lost: unknown[] = [];
  const databaseUrl = asRuntime(own.url);
  const patient = open({ databaseUrl, onLost: (error) => lost.push(error) });
  await own.client.query(`revoke execute on function publish_changes from public, "${runtime.name}"`);
  await record('denied');
  for (let attempt = 0; attempt < 3; attempt++) await expect(patient.flush()).rejects.toThrow('permission');
  expect(lost).toEqual([]);
  const impatient = open({ databaseUrl, rightsTimeoutMs: 0, onLost: (error) => lost.push(error) });
  await expect(impatient.flush()).rejects.toThrow('permission');
  await expect.poll(() => lost).toHaveLength(1);
  await own.client.query(`grant execute on function publish_changes to public, "${runtime.name}"`);
  await patient.flush();
  expect(await published()).toEqual(['denied']);
  expect(lost).toHaveLength(1);
});

test('waits for another publisher, and is not held up by a process that has frozen', async () => {
  const publisher = open();
  await record('waits');
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('events'))`);
  const flushed = publisher.flush();
  const waiting = `select from pg_stat_activity where ${publishing} and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await own.client.query(waiting)).rowCount).toBe(1);
  await client.query('commit');
  await flushed;
  expect(await published()).toEqual(['waits']);
  // Between its publications it has neither a transaction nor a lock.
  const { rows } = await own.client.query(`select distinct state from pg_stat_activity where ${publishing}`);
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
