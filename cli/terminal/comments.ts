import type { OutputOf } from '../../src/contract/registry.ts';
import { printable } from './text.ts';
import { flow, indented, outputLook, type ThreadLook } from './thread.ts';
import { ago, dateAndTime } from './time.ts';

export type ListedComment = OutputOf<'comments.list'>['comments'][number];

/**
 * Renders comments for people, oldest first.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where no line is broken
 */
export function renderComments(comments: readonly ListedComment[], width: number): string {
  return comments.map((comment) => commentLines(comment, width, outputLook).join('\n')).join('\n\n');
}

/** Returns what the author of a comment is called. */
export const authorOf = ({ author }: ListedComment): string =>
  printable(author?.email ?? author?.username ?? 'unknown');

/**
 * Returns a comment: who wrote it and when, then its text.
 *
 * @param notes - what else its first line says
 */
export function commentLines(
  comment: ListedComment,
  width: number,
  look: ThreadLook,
  notes: readonly string[] = [],
): string[] {
  const { id, content, created_at, updated_at } = comment;
  const marks = [
    look.strong(authorOf(comment)),
    look.quiet(`${dateAndTime(created_at)}, ${ago(created_at)}`),
    ...(look.showsIds ? [look.quiet(`comment ${id}`)] : []),
    ...(updated_at === created_at ? [] : [look.quiet('edited')]),
    ...notes.map(look.quiet),
  ];
  return [...flow(marks, width), ...indented(content, '  ', width)];
}
