import type { Database } from '../../connection/database.ts';
import { affectsRow } from '../statements.ts';

/** Marks the reply with the Message-ID as bounced. Reports whether there is one that was not yet. */
export async function markBounced(tx: Database, mailId: string, reason: string): Promise<boolean> {
  return await affectsRow(tx)`
    update message_deliveries set state = 'bounced', error = ${reason}, changed_at = now()
    where mail_id = ${mailId} and state <> 'bounced'
  `;
}
