import type { Database } from '../../db/connection/database.ts';
import { deleteConversations } from '../../db/tables/conversations/conversations.ts';
import { deleteSourcesNaming, selectMailsOf } from '../../db/tables/conversations/received-mails.ts';
import { deleteLabelsNaming } from '../../db/tables/labels.ts';
import { deleteLinksOfConversations } from '../../db/tables/links.ts';
import { deleteViewsNaming } from '../../db/tables/saved-views.ts';
import { keepUpdatedAt } from '../../db/tables/statements.ts';
import {
  lockConversationsWith,
  selectConversationIdsOf,
  selectConversationWithAll,
} from '../../db/tables/visitors/conversations-of.ts';
import { type Person, personWith } from '../../db/tables/visitors/person.ts';
import {
  completeTrail,
  redactTrail,
  selectAuditAbout,
  selectDeletedConversationIds,
  selectTrailEnd,
  selectUnaudited,
} from '../../db/tables/visitors/trail.ts';
import {
  redactMentions,
  selectMentions,
  textsAfterConversations,
  textsBeforeConversations,
  type WrittenTexts,
  writtenTexts,
} from '../../db/tables/visitors/written-texts.ts';
import type { Change, RecordChange } from '../call/changes.ts';
import { linkDeleted } from '../changes/links.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { JsonPieces, StreamedJson } from '../streaming/streamed-json.ts';

interface ErasureServices {
  readonly secretBox: SecretBox;
  readonly change: Change;
}

/**
 * Erases everything about a visitor, in one transaction: one that is stopped leaves everything as it was. Rows are locked in
 * the order in which other changes lock them: issues, conversations, what belongs to these, then the trail. Returns how many
 * were deleted and redacted.
 */
export async function eraseVisitor({ change, secretBox }: ErasureServices, email: string) {
  const person = personWith(email);
  return await change(async (tx, record) => {
    await keepUpdatedAt(tx);
    const views = await deleteViewsNaming(tx, person);
    const labels = await deleteLabelsNaming(tx, person);
    const inIssues = await redactAll(tx, person, textsBeforeConversations);
    const { own, redacted: inConversations } = await lockConversationsWith(tx, person);
    for (const some of chunksOf(own)) await eraseConversations(tx, record, some);
    const inMails = await deleteSourcesNaming(tx, person);
    const inTexts = await redactAll(tx, person, textsAfterConversations);
    const ids = own.map(({ id }) => id);
    const inTrail = await redactWholeTrail(tx, person, ids);
    const counts = {
      conversations: own.length,
      messages: own.reduce((sum, { messages }) => sum + messages, 0),
      redacted: views + labels + inIssues + inConversations + inMails + inTexts + inTrail,
    };
    record({ event: 'visitor.erased', id: null, after: { digest: digestOf(secretBox, person), ...counts } });
    return counts;
  });
}

/** Conversations that one statement deletes: each may have many messages. */
const conversationsAtOnce = 200;

function* chunksOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += conversationsAtOnce) {
    yield rows.slice(from, from + conversationsAtOnce);
  }
}

/**
 * Replaces what the trail has of a person: first as it is, which may take long, then what was published meanwhile. Only for
 * this second part the publication waits.
 */
async function redactWholeTrail(tx: Database, person: Person, own: readonly string[]): Promise<number> {
  const end = await selectTrailEnd(tx);
  const known = new Set([...own, ...(await selectDeletedConversationIds(tx, person))]);
  const redacted = await redactTrail(tx, person, [...known]);
  await completeTrail(tx);
  const added = (await selectDeletedConversationIds(tx, person, end)).filter((id) => !known.has(id));
  const after = added.length === 0 ? end : undefined;
  return redacted + (await redactTrail(tx, person, [...known, ...added], after));
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

/** Writes everything about a visitor. All texts are read, which may take longer than a request: it ends if its reader leaves. */
export function exportVisitor(db: Database, email: string): StreamedJson {
  const person = personWith(email);
  return new StreamedJson(async (write, { pauseDeadline }) => {
    pauseDeadline?.();
    const pieces = new JsonPieces(write);
    const ids = await selectConversationIdsOf(db, person);
    pieces.open(`{"email":${JSON.stringify(person.email)},"conversations":[`);
    for (const id of ids) {
      const conversation = await selectConversationWithAll(db, id);
      if (conversation !== null && !(await pieces.rows([conversation]))) return;
    }
    const deleted = await selectDeletedConversationIds(db, person);
    const known = [...new Set([...ids, ...deleted])];
    let hasMails = false;
    for (const id of ids) {
      for await (const { source, ...mail } of selectMailsOf(db, id)) {
        if (!hasMails) pieces.open('],"mails":[');
        hasMails = true;
        const row = { conversation_id: id, ...mail, source: source?.toString('base64') ?? null };
        if (!(await pieces.rows([JSON.stringify(row)]))) return;
      }
    }
    pieces.open('],"mentions":[');
    const mentions = [
      ...writtenTexts.map((texts) => selectMentions(db, person, texts, ids)),
      selectUnaudited(db, person, known),
    ];
    for (const found of mentions) {
      for await (const rows of found) if (!(await pieces.rows(rows))) return;
    }
    pieces.open('],"audit":[');
    for await (const rows of selectAuditAbout(db, person, known)) {
      if (!(await pieces.rows(rows))) return;
    }
    await pieces.close(']}');
  });
}
