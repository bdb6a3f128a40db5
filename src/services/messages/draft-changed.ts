import type { ChangedRow, RecordedFields } from '../../db/outbox/record-changes.ts';
import type { DraftedMessage } from '../../db/tables/messages.ts';

/** Returns the record of what happened to a draft, never its text. */
export function draftChanged(
  id: number | null,
  { conversation_id, sender_type, status }: DraftedMessage,
  draft: 'proposed' | 'edited' | 'rejected' | 'sent',
): ChangedRow {
  const before: RecordedFields = { conversation_id, sender_type, status };
  return { event: 'message.updated', id, before, after: { ...before, draft } };
}
