import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';

const waitingRow = z.object({ changes: z.int(), seconds: z.int() });

/** Returns how many changes were recorded more than some seconds ago and are not published, and the age of the oldest. */
export async function selectWaitingChanges(
  db: Database,
  seconds: number,
): Promise<z.infer<typeof waitingRow>> {
  return await db.one(sql.type(waitingRow)`
    select
      count(*) as changes,
      coalesce(floor(extract(epoch from clock_timestamp() - min(created_at))), 0)::int as seconds
    from recorded_changes
    where created_at < clock_timestamp() - make_interval(secs => ${seconds})
  `);
}

const publicationRow = z.object({
  changes: z.int(),
  oldest_seconds: z.number(),
  last_event_id: z.int(),
});

/** How far the publication of changes is. */
export type PublicationState = z.infer<typeof publicationRow>;

/** Returns how many changes are not published, the age of the oldest, and the id of the latest event. */
export async function selectPublicationState(db: Database): Promise<PublicationState> {
  return await db.one(sql.type(publicationRow)`
    select
      count(*) as changes,
      coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest_seconds,
      (select coalesce(max(id), 0) from events) as last_event_id
    from recorded_changes
  `);
}
