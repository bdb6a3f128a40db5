import type { EventData } from '../../contract/events/data.ts';
import type { ChangedRow } from '../../db/outbox/record-changes.ts';
import type { DraftedMessage } from '../../db/tables/messages.ts';

/** Returns the record of what happened to a draft, never its text. */
export function draftChanged(
  id: number | null,
  { conversation_id, sender_type, status }: DraftedMessage,
  draft: EventData<'message.updated'>['draft'],
): ChangedRow {
  const before = { conversation_id, sender_type, status };
  return { event: 'message.updated', id, before, after: { ...before, draft } };
}
