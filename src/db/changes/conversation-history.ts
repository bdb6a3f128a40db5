import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { Database } from '../connection/database.ts';
import { exactTimestamp, isoTimestamp } from '../timestamps.ts';

const listedRow = z.object({ json: z.string(), at: z.string(), id: z.int() });

/** Selects the history of a conversation. */
export interface ConversationHistoryFilter {
  readonly id: string;
  readonly limit: number;
  /** Matches only entries that are older than this position. */
  readonly cursor?: Position<number> | undefined;
}

/** A page of the history, as JSON texts made by Postgres. */
export interface ConversationHistoryPage {
  /** Newest first. */
  readonly history: readonly string[];
  /** The position of the oldest entry, if there are older ones. */
  readonly next: Position<number> | null;
}

/** Reads the newest entries that the filter selects. A conversation has few, so they are sorted without an index. */
export async function selectConversationHistory(
  db: Database,
  { id, limit, cursor }: ConversationHistoryFilter,
): Promise<ConversationHistoryPage> {
  const conditions = [
    sql.fragment`h.conversation_id = ${id}`,
    cursor !== undefined &&
      sql.fragment`(h.created_at, h.id) < (${cursor[0]}::timestamptz, ${cursor[1]}::bigint)`,
  ];
  const rows = await db.any(sql.type(listedRow)`
    select
      (
        select row_to_json(entry)::text from (
          select h.change_id, h.field, h.before, h.after, change.actor_name as actor, change.door,
            ${isoTimestamp(sql.fragment`h.created_at`)} as at, cardinality(h.messages) as messages
        ) as entry
      ) as json,
      ${exactTimestamp(sql.fragment`h.created_at`)} as at,
      h.id
    from conversation_history h
    join changes change on change.id = h.change_id
    where ${sql.and(conditions)}
    order by h.created_at desc, h.id desc
    limit ${limit + 1}
  `);
  const page = rows.slice(0, limit);
  const oldest = page.at(-1);
  return {
    history: page.map(({ json }) => json),
    next: oldest === undefined || rows.length === page.length ? null : [oldest.at, oldest.id],
  };
}
