import type { Database } from '../../db/connection/database.ts';
import { deleteConversations } from '../../db/tables/conversations/conversations.ts';
import { deleteLabelsNaming } from '../../db/tables/labels.ts';
import { deleteLinksOfConversations } from '../../db/tables/links.ts';
import { keepUpdatedAt } from '../../db/tables/statements.ts';
import {
  lockConversationsWith,
  redactConversations,
  selectConversationIdsOf,
  selectConversationWithAll,
} from '../../db/tables/visitors/conversations-of.ts';
import {
  type Person,
  personWith,
  redactMentions,
  selectMentions,
  textsAfterConversations,
  textsBeforeConversations,
  type WrittenTexts,
} from '../../db/tables/visitors/person.ts';
import {
  completeTrail,
  redactTrail,
  selectAuditAbout,
  selectDeletedConversationIds,
} from '../../db/tables/visitors/trail.ts';
import type { Change, RecordChange } from '../call/changes.ts';
import { linkDeleted } from '../changes/links.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { JsonPieces, StreamedJson } from '../streaming/streamed-json.ts';

interface ErasureServices {
  readonly secretBox: SecretBox;
  readonly change: Change;
}

/**
 * Erases everything about a visitor, in one transaction. Rows are locked in the order in which other changes
 * lock them: issues, conversations, what belongs to these, then the trail. Returns how many were deleted and
 * redacted.
 */
export async function eraseVisitor({ change, secretBox }: ErasureServices, email: string) {
  const person = personWith(email);
  return await change(async (tx, record) => {
    await keepUpdatedAt(tx);
    const labels = await deleteLabelsNaming(tx, person);
    const inIssues = await redactAll(tx, person, textsBeforeConversations);
    const locked = await lockConversationsWith(tx, person);
    const own = locked.filter(({ is_own }) => is_own);
    const ids = own.map(({ id }) => id);
    const others = locked.filter(({ is_own }) => !is_own).map(({ id }) => id);
    await eraseConversations(tx, record, own);
    const inConversations =
      (await redactConversations(tx, person, others)) +
      (await redactAll(tx, person, textsAfterConversations));
    await completeTrail(tx);
    const known = [...ids, ...(await selectDeletedConversationIds(tx, person))];
    const inTrail = await redactTrail(tx, person, [...new Set(known)]);
    const counts = {
      conversations: own.length,
      messages: own.reduce((sum, { messages }) => sum + messages, 0),
      redacted: labels + inIssues + inConversations + inTrail,
    };
    record({ event: 'visitor.erased', id: null, after: { digest: digestOf(secretBox, person), ...counts } });
    return counts;
  });
}

async function redactAll(tx: Database, person: Person, tables: readonly WrittenTexts[]): Promise<number> {
  let redacted = 0;
  for (const table of tables) redacted += await redactMentions(tx, person, table);
  return redacted;
}

/** Proves to who has the key that an address was erased, and tells nobody else which one. */
function digestOf({ keyId, digest }: SecretBox, { email }: Person): string | null {
  return keyId === undefined ? null : digest(email.toLowerCase(), 'erased visitor').toString('hex');
}

/** What is recorded instead of a text that was erased. */
const erased = '[erased]';

/** Deletes locked conversations with their links. What is recorded of them has nothing of the visitor. */
export async function eraseConversations(
  tx: Database,
  record: RecordChange,
  conversations: readonly { readonly id: string; readonly status: string }[],
): Promise<void> {
  const ids = conversations.map(({ id }) => id);
  record(...(await deleteLinksOfConversations(tx, ids)).map(linkDeleted));
  await deleteConversations(tx, ids);
  for (const { id, status } of conversations) {
    const before = { visitor_email: erased, subject: erased, status };
    record({ event: 'conversation.deleted', id, before });
  }
}

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
