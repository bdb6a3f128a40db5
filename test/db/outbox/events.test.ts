import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tailEvents } from '../../../src/db/outbox/event-tail.ts';
import { deleteOldEvents, selectEvents, selectEventsOn } from '../../../src/db/outbox/events.ts';
import { connectDatabases, type Databases } from '../../../src/db/replica/databases.ts';
import { createTestDatabase, type TestDatabase, untilBlocked } from '../../support/postgres.ts';

let database: TestDatabase;
let databases: Databases;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  databases = connectDatabases({ databaseUrl: database.url });
  pool = new Pool({ connectionString: database.url });
});

afterAll(async () => {
  await databases.close();
  await pool.end();
  await database.drop();
});

beforeEach(() => pool.query('truncate events restart identity'));

/** Inserts events with the given ages in days, oldest first. */
async function insertEvents(...ages: readonly number[]): Promise<void> {
  await pool.query(
    `insert into events (type, actor, created_at, data)
     select 'issue.created', 'tests', now() - age * interval '1 day', '{}' from unnest($1::float[]) with ordinality as given (age, place)
     order by place`,
    [ages],
  );
}

const ids = async () => (await pool.query('select id::int from events order by id')).rows.map(({ id }) => id);

describe('deleting old events', () => {
  test('deletes events older than the days, in batches, oldest first', async () => {
    await insertEvents(20, 10, 8, 7.1, 6.9, 0);
    expect(await deleteOldEvents(databases.primary, 7, 3)).toBe(3);
    expect(await ids()).toEqual([4, 5, 6]);
    expect(await deleteOldEvents(databases.primary, 7, 3)).toBe(1);
    expect(await deleteOldEvents(databases.primary, 7, 3)).toBe(0);
    expect(await ids()).toEqual([5, 6]);
  });

  test('keeps the newest event, however old it is, and then has nothing to do', async () => {
    await insertEvents(30, 20);
    expect(await deleteOldEvents(databases.primary, 7, 100)).toBe(1);
    expect(await deleteOldEvents(databases.primary, 7, 100)).toBe(0);
    expect(await ids()).toEqual([2]);
  });

  test('leaves no gap, and no event too early, if an old transaction has committed late', async () => {
    await insertEvents(10, 6, 9, 1);
    expect(await deleteOldEvents(databases.primary, 7, 100)).toBe(1);
    expect(await ids()).toEqual([2, 3, 4]);
    expect(await deleteOldEvents(databases.primary, 5, 100)).toBe(2);
    expect(await ids()).toEqual([4]);
  });

  test('is not held up by events of a clock that was ahead', async () => {
    await insertEvents(10, -300, 9, 1);
    expect(await deleteOldEvents(databases.primary, 7, 100)).toBe(3);
    expect(await ids()).toEqual([4]);
  });
});

describe('a page of events', () => {
  test('is limited by its size and has at least one event', async () => {
    await pool.query(`
      insert into events (type, actor, data)
      select 'issue.created', 'tests', jsonb_build_object('title', repeat('x', size))
      from unnest(array[300000, 300000, 2000000, 10]) with ordinality as given (size, place) order by place
    `);
    const pages: number[][] = [];
    for (let after = 0; after < 4; after = pages.at(-1)?.at(-1) ?? 4) {
      pages.push((await selectEvents(databases.primary, after)).map(({ id }) => id));
    }
    expect(pages).toEqual([[1, 2], [3], [4]]);
    expect(await selectEvents(databases.primary, 4)).toEqual([]);
  });

  test('is read by the index, also by a connection that made its plan when the table was empty', async () => {
    await pool.query('vacuum analyze events');
    const client = await pool.connect();
    try {
      // Postgres keeps the plan that it has made by then.
      for (let call = 1; call <= 10; call++) expect(await selectEventsOn(client, 0)).toEqual([]);
      await insertEvents(...Array.from({ length: 2_000 }, () => 0));
      await client.query('begin');
      const tableScans = async () =>
        (await client.query(`select pg_stat_get_xact_numscans('events'::regclass)::int as scans`)).rows[0]
          .scans;
      const before = await tableScans();
      expect((await selectEventsOn(client, 0)).map(({ id }) => id)).toEqual(
        Array.from({ length: 500 }, (_, index) => index + 1),
      );
      expect(await tableScans()).toBe(before);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('the tail of the events', () => {
  test('is not reset by an event that the publisher hands over while the table is asked for its newest', async () => {
    await insertEvents(0, 0);
    const holder = await pool.connect();
    await holder.query('begin; lock table events');
    let position = 2;
    const resets: number[] = [];
    const live = Promise.withResolvers<void>();
    const tail = tailEvents({
      databaseUrl: database.url,
      position: () => position,
      onEvents: () => {},
      onReset: (newest) => resets.push(newest),
      onLive: live.resolve,
      onLost: live.reject,
    });
    try {
      await untilBlocked({ sql: async (text) => (await pool.query(text)).rows });
      position = 3;
      await holder.query('commit');
      await live.promise;
      expect(resets).toEqual([]);
    } finally {
      holder.release(true);
      await tail.close();
    }
  });
});
