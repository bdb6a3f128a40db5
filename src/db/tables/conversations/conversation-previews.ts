import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { withoutTimeouts } from '../../connection/database.ts';
import { unreadMessages } from './unread-messages.ts';

const previewDifference = z.object({
  conversation_id: z.string(),
  /** The message that is kept as the newest one. Null if none is kept. */
  kept: z.int().nullable(),
  /** The newest message. Null if there is none. */
  actual: z.int().nullable(),
});

/** A preview that differs from the messages of its conversation. */
export type PreviewDifference = z.infer<typeof previewDifference>;

/**
 * Compares each preview with the newest message of its conversation and the unread ones, in one snapshot. Reads all
 * conversations, so it may take long, but blocks no other statement.
 *
 * @returns the differences, in which both messages are the same one if only its time, its text or the count differs
 */
export async function checkConversationPreviews(db: Database): Promise<readonly PreviewDifference[]> {
  return await withoutTimeouts(
    db,
    async (tx) =>
      await tx.any(sql.type(previewDifference)`
        select coalesce(actual.conversation_id, kept.conversation_id) as conversation_id,
          kept.message_id as kept, actual.id as actual
        from (
          select c.id as conversation_id, newest.*,
            (select count(*) ${unreadMessages(sql.fragment`c.id`)}) as unread_count
          from conversations c
          cross join lateral (
            select m.id, m.created_at, conversation_preview_content(m.content)::text as content
            from conversation_messages m
            where m.conversation_id = c.id
            order by m.created_at desc, m.id desc
            limit 1
          ) as newest
        ) as actual
        full join conversation_previews as kept on kept.conversation_id = actual.conversation_id
        where (kept.message_id, kept.message_at, kept.content::text, kept.unread_count)
          is distinct from (actual.id, actual.created_at, actual.content, actual.unread_count)
        order by conversation_id
      `),
  );
}

/** Reports whether there are more conversations than the given number. Reads at most that many and one more. */
export async function hasMoreConversationsThan(db: Database, count: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from conversations offset ${count} limit 1`);
}

/**
 * Finds the newest message of every conversation and counts the unread ones again, in one transaction. Blocks writers of
 * messages, but not readers.
 */
export async function rebuildConversationPreviews(db: Database): Promise<void> {
  await withoutTimeouts(db, (tx) => tx.query(sql.unsafe`select rebuild_conversation_previews()`));
}
