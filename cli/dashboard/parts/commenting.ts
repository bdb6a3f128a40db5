import type { OutputOf } from '../../../src/contract/registry.ts';
import { wrap } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';
import { age, dateTime } from '../../terminal/time.ts';
import type { App } from '../app/app.ts';
import type { Part } from '../app/types.ts';
import { openForm } from '../dialogs/form.ts';
import { openMenu } from '../dialogs/menu.ts';
import { style } from '../draw/style.ts';
import { rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';

export type Comment = OutputOf<'comments.list'>['comments'][number];

const authorOf = ({ author }: Comment) => author?.username || author?.email || 'unknown';

export function commentLines(comment: Comment, cells: number, now: number): readonly string[] {
  const { content, created_at, updated_at } = comment;
  const when = `${age(created_at, now)} · ${dateTime(created_at)}${updated_at === created_at ? '' : ', edited'}`;
  return [
    `  ${style.strong(`✎ ${printable(authorOf(comment))}`)}  ${style.quiet(when)}`,
    ...wrap(content, cells - 4).map((line) => `    ${line}`),
  ];
}

/** Writes, edits and deletes comments of the team. */
export function commenting<Row extends { readonly id: number | string }>(
  app: App,
  rows: Rows<Row>,
  subject: 'issue_id' | 'conversation_id',
  nameOf: (row: Row) => string,
): Part {
  const on = rowAction(rows);
  const subjectOf = ({ id }: Row) => ({ [subject]: id }) as { issue_id: number };
  const content = [{ name: 'content', label: 'Comment', kind: 'text' }] as const;
  const write = (row: Row) =>
    openForm(app, {
      name: `comment on ${nameOf(row)}`,
      title: `Comment on ${nameOf(row)}`,
      fields: content,
      verb: 'comment',
      save: ({ content: text = '' }) => app.call('comments.create', { ...subjectOf(row), content: text }),
    });
  const edit = (comment: Comment) => {
    const read = async () => ({
      content: (await app.call('comments.list', { id: comment.id })).comments[0]?.content ?? '',
    });
    openForm(app, {
      name: `comment ${comment.id}`,
      title: 'Edit the comment',
      fields: content,
      initial: { content: comment.content },
      reread: read,
      save: ({ content: text = '' }, _changed, seen) =>
        app.call('comments.update', {
          id: comment.id,
          content: text,
          expected: { content: seen.content ?? '' },
        }),
    });
  };
  const list = (row: Row) =>
    openMenu<Comment>(app, {
      title: `Comments on ${nameOf(row)}`,
      find: async () =>
        (await app.call('comments.list', { ...subjectOf(row), limit: 1_000 })).comments.toReversed(),
      text: (comment) => `${authorOf(comment)}  ${printable(comment.content.replaceAll('\n', ' '))}`,
      note: ({ created_at }) => age(created_at, Date.now()),
      take: edit,
      empty: 'No comments.',
      actions: (current, reload) => [
        {
          id: 'comments.delete',
          keys: ['D'],
          title: 'Delete the comment',
          hint: 'delete',
          calls: 'comments.delete',
          run() {
            const comment = current();
            if (comment !== undefined)
              app.confirm(`Delete the comment of ${authorOf(comment)}?`, () =>
                app.call('comments.delete', { id: comment.id }).then(reload),
              );
          },
        },
      ],
    });
  return {
    actions: [
      on('row.comment', '+', 'Write a comment', 'comments.create', write, 'comment'),
      on('row.comments', 'C', 'Read, edit or delete comments', undefined, list),
    ],
  };
}
