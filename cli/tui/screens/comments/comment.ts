import type { OutputOf } from '../../../../src/contract/registry.ts';
import { wrap } from '../../../terminal/cells.ts';
import { printable } from '../../../terminal/text.ts';
import { age, dateTime } from '../../text/age.ts';
import { theme } from '../../theme.ts';

export type Comment = OutputOf<'comments.list'>['comments'][number];

/** What a comment is on. */
export type CommentSubject = { readonly issue_id: number } | { readonly conversation_id: string };

/** Returns what the author of a comment is called. */
export function authorName({ author }: Comment): string {
  return author === null ? 'unknown' : author.username || (author.email ?? 'unknown');
}

/** Returns the lines of a comment: who wrote it and when, then its text. */
export function commentLines(comment: Comment, cells: number, now: number): string[] {
  const { content, created_at, updated_at } = comment;
  const edited = updated_at === created_at ? '' : ', edited';
  const when = theme.quiet(`${age(created_at, now)} · ${dateTime(created_at)}${edited}`);
  return [
    `  ${theme.strong(`✎ ${printable(authorName(comment))}`)}  ${when}`,
    ...wrap(content, cells - 4).map((line) => `    ${line}`),
  ];
}
