import type { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tailEvents } from '../../../src/db/outbox/event-tail.ts';
import { deleteOldEvents, selectEvents, selectEventsOn } from '../../../src/db/outbox/events.ts';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere, untilBlocked } from '../../support/postgres.ts';
import { record } from './record.ts';

const own = databaseHere();

describe('events', () => {
  const query = async (text: string, values: unknown[] = []) => (await own.client.query(text, values)).rows;

  beforeEach(() => query('truncate events restart identity'));

  /** Inserts events with the given ages in days, oldest first. */
  async function insertEvents(...ages: readonly number[]): Promise<void> {
    await query(
      `insert into events (type, actor, created_at, data)
     select 'issue.created', 'tests', now() - age * interval '1 day', '{}' from unnest($1::float[]) with ordinality as given (age, place)
     order by place`,
      [ages],
    );
  }

  const ids = async () => (await query('select id::int from events order by id')).map(({ id }) => id);

  describe('deleting old events', () => {
    test('deletes events older than the days, in batches, oldest first', async () => {
      await insertEvents(20, 10, 8, 7.1, 6.9, 0);
      expect(await deleteOldEvents(own.pool, 7, 3)).toBe(3);
      expect(await ids()).toEqual([4, 5, 6]);
      expect(await deleteOldEvents(own.pool, 7, 3)).toBe(1);
      expect(await deleteOldEvents(own.pool, 7, 3)).toBe(0);
      expect(await ids()).toEqual([5, 6]);
    });

    test('keeps the newest event, however old it is, and then has nothing to do', async () => {
      await insertEvents(30, 20);
      expect(await deleteOldEvents(own.pool, 7, 100)).toBe(1);
      expect(await deleteOldEvents(own.pool, 7, 100)).toBe(0);
      expect(await ids()).toEqual([2]);
    });

    test('leaves no gap, and no event too early, if an old transaction has committed late', async () => {
      await insertEvents(10, 6, 9, 1);
      expect(await deleteOldEvents(own.pool, 7, 100)).toBe(1);
      expect(await ids()).toEqual([2, 3, 4]);
      expect(await deleteOldEvents(own.pool, 5, 100)).toBe(2);
      expect(await ids()).toEqual([4]);
    });

    test('is not held up by events of a clock that was ahead', async () => {
      await insertEvents(10, -300, 9, 1);
      expect(await deleteOldEvents(own.pool, 7, 100)).toBe(3);
      expect(await ids()).toEqual([4]);
    });
  });

  describe('a page of events', () => {
    test('is limited by its size and has at least one event', async () => {
      await query(`
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

    test('is read by the index, also by a connection that made its plan when the table was empty', async () => {
      await query('vacuum analyze events');
      await withClient(own.url, async (client) => {
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
        await client.query('rollback');
      });
    });
  });

  describe('the tail of the events', () => {
    test('is not reset by an event that the publisher hands over while the table is asked for its newest', async () => {
      await insertEvents(0, 0);
      const holder = await own.connect();
      await holder.query('begin; lock table events');
      let position = 2;
      const resets: number[] = [];
      const live = Promise.withResolvers<void>();
      const tail = tailEvents({
        databaseUrl: own.url,
        position: () => position,
        onEvents: () => {},
        onReset: (newest) => resets.push(newest),
        onLive: live.resolve,
        onLost: live.reject,
      });
      try {
        await untilBlocked({ sql: query });
        position = 3;
        await holder.query('commit');
        await live.promise;
        expect(resets).toEqual([]);
      } finally {
        await tail.close();
      }
    });
  });
});

describe('recorded changes', () => {
  let one: Client;
  let other: Client;

  beforeAll(async () => {
    one = await own.connect();
    other = await own.connect();
  });

  describe('the database keeps the audit trail append-only', () => {
    beforeAll(async () => {
      await record(one, ['kept']);
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

  test('listeners are notified by a publication, and only by a publication', async () => {
    const notifications: string[] = [];
    other.on('notification', ({ channel }) => void notifications.push(channel));
    await other.query('listen backoffice_events');
    await record(one, ['heard']);
    await other.query('select');
    expect(notifications).toEqual([]);
    await one.query('select publish_changes()');
    await expect.poll(() => notifications).toEqual(['backoffice_events']);
  });
});
