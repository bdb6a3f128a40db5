import type { ClientBase } from 'pg';
import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';

const id = z.coerce.number<string | number>();

const storedEvent = z.object({
  id,
  type: z.string(),
  subject_id: z.string().nullable(),
  /** The event as the API returns it. Postgres makes the text once for all followers. */
  json: z.string(),
});

/** An event of the outbox. */
export type StoredEvent = z.infer<typeof storedEvent>;

const pageRows = 500;
/** A title may be as long as a request, so the size of a page is limited too. A page has at least one event. */
const pageBytes = 512 * 1024;

const eventsAfter = (after: number) => sql.type(storedEvent)`
  select id, type, subject_id, event as json from events_after(${after}, ${pageRows}, ${pageBytes})
`;

/** Returns a page of the events after an id, oldest first. It is empty if there are no more. */
export async function selectEvents(db: Database, after: number): Promise<readonly StoredEvent[]> {
  return await db.any(eventsAfter(after));
}

/** The same on a connection that listens or publishes. */
export async function selectEventsOn(client: ClientBase, after: number): Promise<readonly StoredEvent[]> {
  return (await rowsOf(client, eventsAfter(after))).map((row) => storedEvent.parse(row));
}

async function rowsOf(client: ClientBase, query: QuerySqlToken): Promise<readonly unknown[]> {
  const { rows } = await client.query(query.sql.replaceAll('$slonik_', '$'), [...query.values]);
  return rows;
}

const eventText = z.object({ json: z.string() });

/**
 * Returns the JSON texts of the latest events of some types, newest first.
 *
 * @param searched - how many events it looks at, whatever their types
 */
export async function selectLatestEvents(
  db: Database,
  types: readonly string[],
  limit: number,
  searched: number,
): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(eventText)`
    select event_json(id, type, created_at, actor, subject_id, data)::text as json
    from (select * from events order by id desc limit ${searched}) as latest
    where type = any(${sql.array([...types], 'text')})
    order by id desc
    limit ${limit}
  `);
}

/** Reports whether a page may be followed by more events. */
export function isFullPage(events: readonly StoredEvent[]): boolean {
  return events.length >= pageRows || events.reduce((sum, { json }) => sum + json.length, 0) >= pageBytes / 4;
}

const bounds = z.object({ oldest: id, newest: id });

const boundsQuery = sql.type(bounds)`
  select coalesce(min(id), 0) as oldest, coalesce(max(id), 0) as newest from events
`;

/** Returns the lowest and the highest id of the stored events, or 0 if there has never been one. */
export async function selectEventBounds(db: Database): Promise<z.infer<typeof bounds>> {
  return await db.one(boundsQuery);
}

/** The same on a connection that listens. */
export async function selectEventBoundsOn(client: ClientBase): Promise<z.infer<typeof bounds>> {
  return bounds.parse((await rowsOf(client, boundsQuery))[0]);
}

const countRow = z.object({ count: z.int() });

/**
 * Deletes events that are older than some days, lowest ids first, up to a limit. Stops at the first that is not, so that the
 * remaining ones have no gap. A transaction that commits days after its change has an event among younger ones: it stays
 * until they go. The newest event always stays, because the position of a follower is always the id of an event, and
 * without any event the database would look new.
 *
 * @returns how many it deleted; 0 if there is nothing left to delete
 */
export async function deleteOldEvents(db: Database, days: number, limit: number): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    with lowest as materialized (
      select id, created_at from events order by id limit ${limit}
    ), gone as (
      delete from events
      where id <= (select max(id) from lowest)
        and id < (select max(id) from events)
        -- Events of a clock that was ahead would keep the others for too long.
        and id < all (
          select id from lowest where created_at between now() - make_interval(days => ${days}) and now()
          order by id limit 1
        )
      returning id
    )
    select count(*)::int as count from gone
  `);
}
