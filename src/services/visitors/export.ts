import type { Database } from '../../db/connection/database.ts';
import {
  selectConversationIdsOf,
  selectConversationWithAll,
} from '../../db/tables/visitors/conversations-of.ts';
import {
  personWith,
  selectMentions,
  textsAfterConversations,
  textsBeforeConversations,
} from '../../db/tables/visitors/person.ts';
import { selectAuditAbout, selectDeletedConversationIds } from '../../db/tables/visitors/trail.ts';
import { JsonPieces, StreamedJson } from '../streaming/streamed-json.ts';

/** Writes everything about a visitor, conversation by conversation. */
export function exportVisitor(db: Database, email: string): StreamedJson {
  const person = personWith(email);
  return new StreamedJson(async (write) => {
    const pieces = new JsonPieces(write);
    const ids = await selectConversationIdsOf(db, person);
    pieces.open(`{"email":${JSON.stringify(person.email)},"conversations":[`);
    for (const id of ids) {
      const conversation = await selectConversationWithAll(db, id);
      if (conversation !== null && !(await pieces.rows([conversation]))) return;
    }
    pieces.open('],"mentions":[');
    for (const texts of [...textsBeforeConversations, ...textsAfterConversations]) {
      for await (const rows of selectMentions(db, person, texts, ids)) {
        if (!(await pieces.rows(rows))) return;
      }
    }
    pieces.open('],"audit":[');
    const deleted = await selectDeletedConversationIds(db, person);
    for await (const rows of selectAuditAbout(db, person, [...new Set([...ids, ...deleted])])) {
      if (!(await pieces.rows(rows))) return;
    }
    await pieces.close(']}');
  });
}
