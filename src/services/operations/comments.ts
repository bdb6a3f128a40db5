import type { EventData } from '../../contract/events/envelope.ts';
import { commentErrors } from '../../contract/operations/comments.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  commentTables,
  deleteCommentRow,
  insertComment,
  lockComment,
  type StoredComment,
  selectComments,
  updateCommentContent,
} from '../../db/tables/comments.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import { answerNewest, findShort } from '../streaming/list-answer.ts';
import type { HandlersOf } from './handler-types.ts';

export const commentHandlers = {
  'comments.list': async (context, filter) =>
    answerNewest(
      context,
      'comments',
      async () => {
        const { rows, next } = await findShort(context, filter.q, (db) => selectComments(db, filter));
        // The oldest of the page first, as people read them.
        return { rows: rows.toReversed(), next };
      },
      commentTables,
    ),

  'comments.create': async ({ change, actor }, { issue_id = null, conversation_id = null, content }) => {
    const subject = { issue_id, conversation_id };
    const unknown = conversation_id === null ? commentErrors.unknownIssue : commentErrors.unknownConversation;
    const id = await change(async (tx, record) => {
      return (await addComment(tx, record, actor, { ...subject, content })) ?? refuse(unknown);
    });
    return { success: true, comment: { id } };
  },

  'comments.update': ({ change, actor }, { id, content, expected }) =>
    change(async (tx, record) => {
      const comment = await lockComment(tx, id);
      if (comment !== null && !isAuthor(actor, comment)) refuse(commentErrors.notAuthor);
      checkExpected('comment', expected, comment);
      if (comment === null || comment.content === content) return;
      const before = fieldsOf(comment);
      await updateCommentContent(tx, id, content);
      record({ event: 'comment.updated', id, before, after: { ...before, content } });
    }),

  'comments.delete': ({ change, actor }, { id }) =>
    change(async (tx, record) => {
      const comment = await lockComment(tx, id);
      if (comment === null) return;
      if (actor.role === 'user' && !isAuthor(actor, comment)) refuse(commentErrors.notAuthorOrManager);
      await deleteCommentRow(tx, id);
      record({ event: 'comment.deleted', id, before: fieldsOf(comment) });
    }),
} satisfies HandlersOf<'comments'>;

/** Adds a comment. Returns its id, or null if its subject does not exist. */
export async function addComment(
  tx: Database,
  record: RecordChange,
  { kind, id, name, admin }: Actor,
  { content, ...subject }: EventData<'comment.created'>,
): Promise<number | null> {
  const author = { kind, id, name, username: admin?.username ?? null };
  const inserted = await insertComment(tx, subject, { author, content });
  if (inserted !== null) record({ event: 'comment.created', id: inserted, after: { ...subject, content } });
  return inserted;
}

/** Returns the fields of a comment that events and audit records contain. */
function fieldsOf({ issue_id, conversation_id, content }: StoredComment) {
  return { issue_id, conversation_id, content };
}

/** Reports whether the actor wrote the comment. Operators have no id, so their names tell them apart. */
function isAuthor({ kind, id, name }: Actor, comment: StoredComment): boolean {
  if (kind !== comment.author_kind || id !== comment.author_id) return false;
  return id !== null || name === comment.author_name;
}
