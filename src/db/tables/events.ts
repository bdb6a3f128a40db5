import type pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { isoTimestamp } from '../timestamps.ts';

/** Plain `pg`, because the connection that listens for events reads them too, and slonik has no connection of one's own. */
type Connection = pg.Pool | pg.Client;

const id = z.string().transform(Number);

const storedEvent = z.object({
  id,
  type: z.string(),
  subject_id: z.string().nullable(),
  /** The whole event as the API tells it. Postgres makes the text, once for every follower. */
  json: z.string(),
});

/** An event of the outbox. */
export type StoredEvent = z.infer<typeof storedEvent>;

const pageRows = 500;
/** A title may be as long as a request, so a page ends by its size too; it has one event at least. */
const pageBytes = 512 * 1024;

const event = `
  select id, type, subject_id,
    (
      select row_to_json(told)::text
      from (
        select id, type, subject_id, actor, ${isoTimestamp(sql.fragment`created_at`).sql} as created_at, data
      ) as told
    ) as json
  from events
`;

/** Goes from event to event, so that nothing is read of those that the page has no room for. */
const eventsQuery = {
  name: 'events_after',
  text: `
    with recursive page as (
      (
        select event.*, 1 as place, octet_length(json)::bigint as bytes
        from (${event} where id > $1 order by id limit 1) as event
      )
      union all
      select event.*, page.place + 1, page.bytes + octet_length(event.json)
      from page, lateral (${event} where events.id > page.id order by events.id limit 1) as event
      where page.place < ${pageRows} and page.bytes < ${pageBytes}
    )
    select id, type, subject_id, json from page order by id
  `,
};

/** The events after an id, the oldest first: as many as fit a page, none where there are no more. */
export async function selectEvents(connection: Connection, after: number): Promise<readonly StoredEvent[]> {
  const { rows } = await connection.query({ ...eventsQuery, values: [after] });
  return rows.map((row) => storedEvent.parse(row));
}

const bounds = z.object({ oldest: id, newest: id });

/** The lowest and the highest id of the events that are kept; 0 where none ever was. */
export async function selectEventBounds(connection: Connection): Promise<z.infer<typeof bounds>> {
  const { rows } = await connection.query(
    'select coalesce(min(id), 0) as oldest, coalesce(max(id), 0) as newest from events',
  );
  return bounds.parse(rows[0]);
}

const purged = z.object({ count: z.int() });

/**
 * Removes a batch of the events that are older than some days, those of the lowest ids. The newest event stays however
 * old it is: a follower's place is always that of an event, and without any it would be that of an empty database.
 *
 * @param batch - how many at most
 * @returns how many were removed; 0 when nothing is left to remove
 */
export async function deleteOldEvents(db: Database, days: number, batch: number): Promise<number> {
  return await db.oneFirst(sql.type(purged)`
    with lowest as (
      select id, created_at from events order by id limit ${batch}
    ), gone as (
      -- Up to an id, so that whatever is kept is kept without a gap.
      delete from events
      where id <= (select max(id) from lowest where created_at < now() - make_interval(days => ${days}))
        and id < (select max(id) from events)
      returning id
    )
    select count(*)::int as count from gone
  `);
}
