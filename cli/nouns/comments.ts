import type { InputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { readPages } from '../access/pages.ts';
import { UsageError } from '../errors.ts';
import { issueNumber } from '../input/arguments.ts';
import { withText } from '../input/long-text.ts';
import { emit } from '../output/emit.ts';
import { defaultRows, listIn } from '../output/formats.ts';
import { outputWidth, print, remark } from '../terminal/terminal.ts';
import { counted, printable } from '../terminal/text.ts';
import { change, emitDone } from '../verb/change.ts';
import { type Given, maybeWritten, number, text } from '../verb/parameters.ts';
import { findRow } from '../verb/rows.ts';
import { calling, verbs } from '../verb/verb.ts';
import { comment, conversation, issue } from './kinds.ts';

/** What a comment is on. */
const subject = {
  issue: { ...number('the number of the issue', 1), source: 'issues', parse: issueNumber },
  conversation: text('the ID of the conversation', 'conversation', 'conversations'),
} as const;

/** Returns the field of what a comment is on, and its name for people, once it is known to exist. */
async function findSubject(
  access: Access,
  { issue: issue_id, conversation: conversation_id }: Given<typeof subject>,
): Promise<{ fields: InputOf<'comments.list'>; name: string }> {
  if (issue_id !== undefined && conversation_id === undefined) {
    await findRow(issue, access, issue_id);
    return { fields: { issue_id }, name: `issue ${issue_id}` };
  }
  if (conversation_id !== undefined && issue_id === undefined) {
    await findRow(conversation, access, conversation_id);
    return { fields: { conversation_id }, name: `conversation ${printable(conversation_id)}` };
  }
  throw new UsageError('Use either --issue or --conversation.');
}

/** The number of comments that people see by default. */
const defaultComments = 20;

const rows = listIn('comments.list', 'comments');

/** Reads the latest comments, oldest first. */
async function readComments(
  access: Access,
  on: InputOf<'comments.list'>,
  limit: number,
  before: string | undefined,
) {
  const { pages, nextCursor } = await readPages(limit, before, async (size, cursor) => {
    const page = await access.call('comments.list', { ...on, limit: size, cursor });
    return { rows: page.comments, nextCursor: page.nextCursor };
  });
  return { comments: pages.toReversed().flat(), nextCursor };
}

/** Internal notes of the team. */
export const comments = verbs('backoffice comments list --issue 42', {
  list: calling('comments.list', {
    about: 'show the latest comments on an issue or a conversation, oldest first',
    params: {
      ...subject,
      limit: number('maximum number of comments; 0 for all', 0),
      before: text('only comments before this cursor, which an earlier call printed', 'cursor'),
    },
    output: 'rows',
    fields: rows.fields,
    examples: [
      'backoffice comments list --issue 42',
      'backoffice comments list --conversation conv_1769851800000_k3x9a2b --json author,content',
    ],
    async run({ given: { limit, before, ...on }, format, access }) {
      const { fields, name } = await findSubject(access, on);
      const wanted = limit ?? defaultRows(format, defaultComments);
      const document = await readComments(access, fields, wanted, before);
      await emit(document, format, rows, async () => {
        const { comments, nextCursor } = document;
        if (comments.length === 0) return remark(`No comments on ${name}.`);
        const { renderComments } = await import('../terminal/thread.ts');
        print(renderComments(comments, outputWidth()));
        if (nextCursor === null) return;
        const { comments: older } = await readComments(access, fields, 0, nextCursor);
        remark(
          `\n${counted(older.length, 'older comment is', 'older comments are')} not shown. Use --limit 0 to show all, or --before ${nextCursor} to show the previous ones.`,
        );
      });
    },
  }),

  add: calling('comments.create', {
    about: 'comment on an issue or a conversation; visitors never see it',
    params: { text: maybeWritten('the text of the comment'), ...subject },
    examples: [
      'backoffice comments add --issue 42 "Only with Safari 17."',
      'backoffice comments add --conversation conv_1769851800000_k3x9a2b < note.txt',
    ],
    async run({ given: { text, ...on }, format, access }) {
      // First, so that nobody types a text for an issue that does not exist.
      const { fields, name } = await findSubject(access, on);
      const about = [`The comment is on ${name}. Visitors never see it.`];
      await withText(text, { what: 'comment', about }, async (content) => {
        const added = await access.call('comments.create', { ...fields, content });
        await emitDone(added, format, `Added comment ${added.comment.id} to ${name}.`);
      });
    },
  }),

  edit: calling('comments.update', {
    about: 'replace the text of your own comment',
    params: { comment: comment.key, text: maybeWritten('the new text') },
    examples: ['backoffice comments edit 3 "Only with Safari 17 and 18."'],
    async run({ given: { comment: id, text }, format, access }) {
      const { content: seen } = await findRow(comment, access, id);
      await withText(text, { what: 'comment', initial: seen }, async (content) => {
        // Writing takes a while.
        const done = await access.call('comments.update', { id, content, expected: { content: seen } });
        await emitDone(done, format, `Edited comment ${id}.`);
      });
    },
  }),

  delete: change('comments.delete', {
    about: 'delete a comment',
    of: comment,
    input: (_given, { id }) => ({ id }),
    ask: ({ id, author }) => `Delete comment ${id} of ${author}?`,
    done: (_answer, { id }) => `Deleted comment ${id}.`,
    examples: ['backoffice comments delete 3'],
  }),
});
