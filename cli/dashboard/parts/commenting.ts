import { commentErrors } from '../../../src/contract/operations/comments.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { printable } from '../../terminal/text.ts';
import { authorOf, type ListedComment } from '../../terminal/thread.ts';
import { age } from '../../terminal/time.ts';
import type { App } from '../app/app.ts';
import { callingOnce } from '../app/calling-once.ts';
import { type Action, action, type Part } from '../app/types.ts';
import { openForm } from '../dialogs/form.ts';
import { openMenu } from '../dialogs/menu.ts';
import { rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';

/** What comments are on. */
export type CommentSubject = { readonly issue_id: number } | { readonly conversation_id: string };

const pageComments = 1_000;

/** Reads all comments on something, oldest first. */
export async function readComments(
  app: Pick<App, 'call'>,
  subject: CommentSubject,
): Promise<readonly ListedComment[]> {
  let found: readonly ListedComment[] = [];
  let cursor: string | null | undefined;
  do {
    const input = { ...subject, limit: pageComments, cursor: cursor ?? undefined };
    const page = await app.call('comments.list', input as InputOf<'comments.list'>);
    found = [...page.comments, ...found];
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}

/** Writes, edits and deletes comments of the team. */
export function commenting<Row extends { readonly id: number | string }>(
  app: App,
  rows: Rows<Row>,
  subjectOf: (row: Row) => CommentSubject,
  nameOf: (row: Row) => string,
): Part {
  const on = rowAction(app, rows);
  const fields = [{ name: 'content', label: 'Comment', kind: 'text' }] as const;
  const done = (sentence: string) => () => {
    app.say(sentence);
    app.refresh();
  };
  const write = (row: Row) => {
    const subject = subjectOf(row);
    const add = callingOnce(app, 'comments.create', 'added');
    openForm(app, {
      // Two conversations may have the same name.
      key: `comment on ${row.id}`,
      name: `comment on ${nameOf(row)}`,
      title: `Comment on ${nameOf(row)}`,
      fields,
      verb: 'comment',
      save: ({ content = '' }) => add({ ...subject, content } as InputOf<'comments.create'>),
      saved: done(`Added the comment on ${nameOf(row)}.`),
    });
  };
  const edit = async (comment: ListedComment) => {
    const { admin } = await app.call('session.show');
    // Said before somebody writes in vain. Operators and tokens have no account.
    if ((comment.author?.id ?? null) !== (admin?.id ?? null))
      return app.say(commentErrors.notAuthor.text, 'failed');
    const { id, content: before } = comment;
    openForm(app, {
      name: `change of comment ${id}`,
      title: 'Edit the comment',
      fields,
      initial: { content: before },
      reread: async () => ({
        content: (await app.call('comments.list', { id })).comments[0]?.content ?? '',
      }),
      save: ({ content = '' }, _changed, seen) =>
        app.call('comments.update', { id, content, expected: { content: seen.content ?? '' } }),
      saved: done('Edited the comment.'),
    });
  };
  const list = (row: Row) =>
    openMenu<ListedComment>(app, {
      title: `Comments on ${nameOf(row)}: Enter edits one`,
      find: async () => (await readComments(app, subjectOf(row))).toReversed(),
      text: (comment) => `${authorOf(comment)}  ${printable(comment.content.replaceAll('\n', ' '))}`,
      note: ({ created_at }) => age(created_at),
      take: edit,
      empty: 'No comments.',
      actions: inMenu,
    });
  const inMenu = (current: () => ListedComment | undefined, reload: () => void): readonly Action[] => [
    action(
      'menu.delete',
      ['D', 'delete'],
      { title: 'Delete it', hint: 'delete', calls: 'comments.delete' },
      () => {
        const comment = current();
        if (comment === undefined) return;
        const remove = async () => {
          await app.call('comments.delete', { id: comment.id });
          done('Deleted the comment.')();
          reload();
        };
        app.confirm(`Delete the comment of ${authorOf(comment)}? “${comment.content.slice(0, 200)}”`, remove);
      },
    ),
  ];
  return {
    actions: [
      on('row.comment', '+', { title: 'Write a comment', hint: 'comment', calls: 'comments.create' }, write),
      on('row.comments', 'C', { title: 'Read, edit or delete comments' }, list),
    ],
    inDialogs: inMenu(
      () => undefined,
      () => {},
    ),
  };
}
