import type { OutputOf } from '../../src/contract/registry.ts';
import { paint } from './colours.ts';
import { printable } from './text.ts';
import { indented } from './thread.ts';
import { ago, dateAndTime } from './time.ts';

export type ListedComment = OutputOf<'comments.list'>['comments'][number];

/**
 * Renders comments for people, oldest first.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where no line is broken
 */
export function renderComments(comments: readonly ListedComment[], width: number): string {
  return comments.map((comment) => renderComment(comment, width).join('\n')).join('\n\n');
}

function renderComment(
  { id, author, content, created_at, updated_at }: ListedComment,
  width: number,
): string[] {
  const dim = paint('dim');
  const marks = [
    paint('bold')(printable(author?.email ?? author?.username ?? 'unknown')),
    dim(`${dateAndTime(created_at)}, ${ago(created_at)}`),
    dim(`comment ${id}`),
  ];
  if (updated_at !== created_at) marks.push(dim('edited'));
  return [marks.join(' · '), ...indented(content, '  ', width)];
}
