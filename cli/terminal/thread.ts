import stringWidth from 'string-width';
import { channelOf } from '../../src/contract/channels.ts';
import { deliveryWords } from '../../src/contract/deliveries.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { fileSize } from '../../src/shared/text.ts';
import type { FoundThread, ThreadMessage } from '../access/pages.ts';
import { wrap } from './cells.ts';
import { counted, printable } from './text.ts';
import { ago, dateAndTime } from './time.ts';
import { paint, paintStatus } from './tones.ts';

/** Longer lines are hard to read, even on a wide terminal. */
const maxLineCells = 100;

type Paint = (text: string) => string;

/** How a thread looks: on standard output, or in the terminal dashboard. */
export interface ThreadLook {
  readonly strong: Paint;
  readonly quiet: Paint;
  readonly alarm: Paint;
  readonly warning: Paint;
  readonly visitor: Paint;
  readonly team: Paint;
  readonly status: (text: string, status: string) => string;
  /** Whether it says the ids, which people type in other commands. */
  readonly showsIds: boolean;
  /** What stands before the author of a comment, to tell it from a message. */
  readonly commentSign: string;
}

/** The look on standard output. */
export const outputLook: ThreadLook = {
  strong: paint('bold'),
  quiet: paint('dim'),
  alarm: paint(['bold', 'red']),
  warning: paint('yellow'),
  visitor: paint(['bold', 'cyan']),
  team: paint(['bold', 'green']),
  status: paintStatus,
  showsIds: true,
  commentSign: '',
};

/** Returns the width of a thread's lines in a terminal of some cells. Infinity stays: a file breaks no lines. */
export const readableCells = (width: number): number =>
  width === Number.POSITIVE_INFINITY ? width : Math.min(width, maxLineCells);

/**
 * Renders a conversation for people: its subject, visitor and linked issues, then its messages with their drafts. Control
 * characters in texts that users wrote are made harmless.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where no line is broken
 */
export function renderThread(thread: FoundThread, width: number, look = outputLook): string {
  const room = readableCells(width);
  const { subject, visitor_name } = thread.conversation;
  const title = wrap(subject === '' ? '(no subject)' : subject, room).map(look.strong);
  const parts = [[...title, ...headLines(thread, room, look)]];
  for (const message of thread.messages) parts.push(messageLines(message, visitor_name, room, look));
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}

/** Returns who a conversation is with, its state, where it came from, its labels and its linked issues. */
export function headLines(
  { conversation, issues }: Pick<FoundThread, 'conversation' | 'issues'>,
  width: number,
  look: ThreadLook,
): string[] {
  const { id, visitor_name, visitor_email, status, unread_count, assignee, labels = [], page } = conversation;
  const channel = channelOf(conversation);
  const marks = [...(look.showsIds ? [printable(id)] : []), look.status(printable(status), status)];
  if (assignee) marks.push(`assigned to ${printable(assignee.email)}`);
  if (unread_count > 0) marks.push(look.alarm(`${unread_count} unread`));
  return [
    ...wrap(`${visitor_name} <${visitor_email}>`, width),
    ...flow(marks, width),
    ...(channel === undefined ? [] : wrap(`via ${channel}${page ? `: ${page}` : ''}`, width)),
    ...(labels.length > 0 ? wrap(`labels: ${labels.join(', ')}`, width) : []),
    ...issues.flatMap(({ id, title, status, severity }) =>
      wrap(`issue ${id}: ${title} (${status}, ${severity})`, width),
    ),
  ];
}

/**
 * Returns a message: who wrote it and when, its text without what a mail quotes, its files, and its draft.
 *
 * @param draftNote - what stands beside the heading of a draft
 */
export function messageLines(
  message: ThreadMessage,
  visitor: string,
  width: number,
  look: ThreadLook,
  draftNote = '',
): string[] {
  const { id, sender_type, ai_draft, status, created_at, sent_by, from_draft_of, delivery } = message;
  const isVisitor = sender_type === 'visitor';
  const who = printable(isVisitor ? visitor : (sent_by ?? 'the team'));
  const marks = [
    (isVisitor ? look.visitor : look.team)(who),
    look.quiet(`${dateAndTime(created_at)}, ${ago(created_at)}`),
  ];
  if (look.showsIds) marks.push(look.quiet(`message ${id}`));
  if (from_draft_of !== null)
    marks.push(look.quiet(look.showsIds ? `from the draft on ${from_draft_of}` : 'from a draft'));
  if (isVisitor && status === 'sent') marks.push(look.alarm('unread'));
  if (delivery) marks.push(deliveryMark(delivery, look));
  const lines = [
    ...flow(marks, width),
    ...contentLines(message, width, look),
    ...(delivery?.error ? indented(delivery.error, '  ! ', width) : []),
  ];
  if (ai_draft === null) return lines;
  return [
    ...lines,
    `  ${look.warning('Draft, not sent:')}${look.quiet(draftNote)}`,
    ...indented(ai_draft, '  | ', width),
  ];
}

function contentLines(
  { content, quoted_from, attachments }: ThreadMessage,
  width: number,
  look: ThreadLook,
): string[] {
  const own = content.slice(0, quoted_from ?? undefined);
  const quoted = content.slice(own.length).trim();
  const fold = quoted === '' ? [] : [`… ${counted(quoted.split('\n').length, 'quoted line')}`];
  const files = (attachments ?? []).map(({ name, bytes }) => `⎘ ${name} (${fileSize(bytes)})`);
  return [
    ...indented(quoted === '' ? content : own.trimEnd(), '  ', width),
    ...[...fold, ...files].flatMap((line) => indented(line, '  ', width)).map(look.quiet),
  ];
}

/** Says what became of the mail of a reply. */
function deliveryMark({ state, error }: NonNullable<ThreadMessage['delivery']>, look: ThreadLook): string {
  const words = deliveryWords(state, error);
  return state === 'failed' || state === 'bounced' ? look.alarm(words) : look.quiet(words);
}

/** Puts marks on lines, as many on each as fit. */
export function flow(marks: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const mark of marks) {
    const longer = lines.length === 0 ? mark : `${lines.at(-1)} · ${mark}`;
    if (lines.length > 0 && stringWidth(longer) > width) lines.push(mark);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}

/** Breaks a text into lines behind a margin. */
export function indented(text: string, margin: string, width: number): string[] {
  return wrap(text, Math.max(width - margin.length, 1)).map((line) => `${margin}${line}`.trimEnd());
}

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
    look.strong(look.commentSign + authorOf(comment)),
    look.quiet(`${dateAndTime(created_at)}, ${ago(created_at)}`),
    ...(look.showsIds ? [look.quiet(`comment ${id}`)] : []),
    ...(updated_at === created_at ? [] : [look.quiet('edited')]),
    ...notes.map(look.quiet),
  ];
  return [...flow(marks, width), ...indented(content, '  ', width)];
}
