import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';

const oldConversation = z.object({ id: z.string(), status: z.string() });

/**
 * Locks resolved and closed conversations that nobody has touched for some days, oldest first, up to a limit. Leaves out
 * those that somebody is changing.
 */
export async function lockOldConversations(
  tx: Database,
  days: number,
  limit: number,
): Promise<readonly z.infer<typeof oldConversation>[]> {
  // The expression of conversations_status_updated_at_id_idx.
  const isOld = sql.fragment`
    left(status, 100) in ('resolved', 'closed') and updated_at < now() - make_interval(days => ${days})
  `;
  return await tx.any(sql.type(oldConversation)`
    select id, status from conversations
    where id in (select id from conversations where ${isOld} order by updated_at, id limit ${limit}) and ${isOld}
    order by id
    for update skip locked
  `);
}
