import { maxSavedReplies, savedReplyErrors } from '../../contract/operations/saved-replies.ts';
import { isUniqueViolation } from '../../db/connection/errors.ts';
import {
  deleteSavedReplyRow,
  hasSavedReplies,
  insertSavedReply,
  lockSavedReplies,
  lockSavedReply,
  savedReplyShortcutConstraint,
  selectSavedReplies,
  updateSavedReplyFields,
} from '../../db/tables/saved-replies.ts';
import { checkExpected } from '../call/expected.ts';
import { findShort } from '../call/find-short.ts';
import { refuse } from '../call/refuse.ts';
import type { HandlersOf } from './handler-types.ts';

export const savedReplyHandlers = {
  'savedReplies.list': async (context, filter) => ({
    saved_replies: await findShort(context, filter.q, (db) => selectSavedReplies(db, filter)),
  }),

  'savedReplies.create': async ({ change }, fields) => {
    const id = await change(async (tx, record) => {
      await lockSavedReplies(tx);
      const inserted = (await insertSavedReply(tx, fields)) ?? refuse(savedReplyErrors.shortcutTaken);
      if (await hasSavedReplies(tx, maxSavedReplies + 1)) refuse(savedReplyErrors.tooMany);
      record({ event: 'saved_reply.created', id: inserted, after: fields });
      return inserted;
    });
    return { success: true, saved_reply: { id } };
  },

  'savedReplies.update': async ({ change }, { id, expected, ...changes }) => {
    await change(async (tx, record) => {
      await lockSavedReplies(tx);
      const before = await lockSavedReply(tx, id);
      checkExpected('saved reply', expected, before);
      if (before === null) return;
      const { shortcut = before.shortcut, title = before.title, content = before.content } = changes;
      const after = { shortcut, title, content };
      if (shortcut === before.shortcut && title === before.title && content === before.content) return;
      await updateFields(tx, id, after);
      record({ event: 'saved_reply.updated', id, before, after });
    });
    return { success: true };
  },

  'savedReplies.delete': async ({ change }, { id }) => {
    await change(async (tx, record) => {
      const before = await deleteSavedReplyRow(tx, id);
      if (before !== null) record({ event: 'saved_reply.deleted', id, before });
    });
    return { success: true };
  },
} satisfies HandlersOf<'savedReplies'>;

async function updateFields(...[tx, id, fields]: Parameters<typeof updateSavedReplyFields>) {
  try {
    await updateSavedReplyFields(tx, id, fields);
  } catch (error) {
    if (isUniqueViolation(error, savedReplyShortcutConstraint)) refuse(savedReplyErrors.shortcutTaken);
    throw error;
  }
}
