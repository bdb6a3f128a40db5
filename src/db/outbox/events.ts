import type { ClientBase } from 'pg';
import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { countRow } from '../tables/statements.ts';

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

/** What events are read on: a database, or a connection that listens or publishes. */
type Source = Database | ClientBase;

async function read<Row>(source: Source, query: QuerySqlToken<z.ZodType<Row>>): Promise<readonly Row[]> {
  if ('any' in source) return await source.any(query);
  const { rows } = await source.query(query.sql.replaceAll('$slonik_', '$'), [...query.values]);
  return z.array(query.parser).parse(rows);
}

/** Returns a page of the events after an id, oldest first. It is empty if there are no more. */
export async function selectEvents(source: Source, after: number): Promise<readonly StoredEvent[]> {
  const page = sql.type(storedEvent)`
    select id, type, subject_id, event as json from events_after(${after}, ${pageRows}, ${pageBytes})
  `;
  return await read(source, page);
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

/** Returns the lowest and the highest id of the stored events, or 0 if there has never been one. */
export async function selectEventBounds(source: Source): Promise<z.infer<typeof bounds>> {
  const [found = { oldest: 0, newest: 0 }] = await read(
    source,
    sql.type(bounds)`select coalesce(min(id), 0) as oldest, coalesce(max(id), 0) as newest from events`,
  );
  return found;
}

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
