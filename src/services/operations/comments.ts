import { commentErrors } from '../../contract/operations/comments.ts';
import { selectVersion } from '../../db/lists/table-versions.ts';
import {
  commentTables,
  deleteCommentRow,
  insertComment,
  lockComment,
  type StoredComment,
  selectComments,
  updateCommentContent,
} from '../../db/tables/comments.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import { findShort } from '../call/search-slots.ts';
import { authorOf, isAuthor, mayDelete } from '../comments/author.ts';
import { JsonPieces } from '../streaming/json-pieces.ts';
import { endOfList, nextPage } from '../streaming/list-answer.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';
import type { HandlersOf } from './handler-types.ts';

export const commentHandlers = {
  'comments.list': async (context, filter) =>
    new StreamedJson(
      async (write, { onNext }) => {
        const { comments, next } = await findShort(context, filter.q, (db) => selectComments(db, filter));
        onNext(nextPage(next));
        const pieces = new JsonPieces(write);
        pieces.open('{"comments":[');
        if (!(await pieces.rows(comments))) return;
        await pieces.close(endOfList(next));
      },
      { read: () => selectVersion(context.db, commentTables), comesWithAnswer: false },
    ),

  'comments.create': async ({ changeOne, actor }, { issue_id = null, conversation_id = null, content }) => {
    const subject = { issue_id, conversation_id };
    const comment = { author: authorOf(actor), content };
    const id = await changeOne({ event: 'comment.created', after: { ...subject, content } }, (db, record) =>
      insertComment(db, subject, comment, record),
    );
    if (id !== null) return { success: true, comment: { id } };
    return refuse(conversation_id === null ? commentErrors.unknownIssue : commentErrors.unknownConversation);
  },

  'comments.update': async ({ change, actor }, { id, content, expected }) => {
    await change(async (tx, _touch, changeOne) => {
      const comment = await lockComment(tx, id);
      if (comment !== null && !isAuthor(actor, comment)) refuse(commentErrors.notAuthor);
      checkExpected('comment', expected, comment);
      if (comment === null) return;
      if (comment.content === content) return;
      const before = fieldsOf(comment);
      await changeOne({ event: 'comment.updated', before, after: { ...before, content } }, (db, record) =>
        updateCommentContent(db, id, content, record),
      );
    });
    return { success: true };
  },

  'comments.delete': async ({ change, actor }, { id }) => {
    await change(async (tx, _touch, changeOne) => {
      const comment = await lockComment(tx, id);
      if (comment === null) return;
      if (!mayDelete(actor, comment)) refuse(commentErrors.notAuthorOrManager);
      await changeOne({ event: 'comment.deleted', before: fieldsOf(comment) }, (db, record) =>
        deleteCommentRow(db, id, record),
      );
    });
    return { success: true };
  },
} satisfies HandlersOf<'comments'>;

/** Returns the fields of a comment that events and audit records contain. */
function fieldsOf({ issue_id, conversation_id, content }: StoredComment) {
  return { issue_id, conversation_id, content };
}
