import stringWidth from 'string-width';
import { channelOf } from '../../src/contract/channels.ts';
import { deliveryWords } from '../../src/contract/deliveries.ts';
import type { FoundThread, ThreadMessage } from '../access/thread.ts';
import { wrap } from './cells.ts';
import { paint, paintStatus } from './colours.ts';
import { printable } from './text.ts';
import { ago, dateAndTime } from './time.ts';

/** Longer lines are hard to read, even on a wide terminal. */
const maxLineCells = 100;

const bold = paint('bold');
const dim = paint('dim');
const alarm = paint(['bold', 'red']);

/**
 * Renders a conversation for people: its subject, visitor and linked issues, then its messages with their drafts. Control
 * characters in texts that users wrote are made harmless.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where no line is broken
 */
export function renderThread(thread: FoundThread, width: number): string {
  const room = width === Number.POSITIVE_INFINITY ? width : Math.min(width, maxLineCells);
  const { conversation, messages } = thread;
  const parts = [renderHead(thread, room)];
  for (const message of messages) parts.push(renderMessage(message, conversation.visitor_name, room));
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}

function renderHead({ conversation, issues }: FoundThread, width: number): string[] {
  const {
    id,
    subject,
    visitor_name,
    visitor_email,
    status,
    unread_count,
    assignee,
    labels = [],
    page,
  } = conversation;
  const channel = channelOf(conversation);
  const marks = [printable(id), paintStatus(printable(status), status)];
  if (assignee) marks.push(`assigned to ${printable(assignee.email)}`);
  if (unread_count > 0) marks.push(alarm(`${unread_count} unread`));
  return [
    ...wrap(subject === '' ? '(no subject)' : subject, width).map(bold),
    ...wrap(`${visitor_name} <${visitor_email}>`, width),
    ...flow(marks, width),
    ...(channel === undefined ? [] : wrap(`via ${channel}${page ? `: ${page}` : ''}`, width)),
    ...(labels.length > 0 ? wrap(`labels: ${labels.join(', ')}`, width) : []),
    ...issues.flatMap(({ id, title, status, severity }) =>
      wrap(`issue ${id}: ${title} (${status}, ${severity})`, width),
    ),
  ];
}

function renderMessage(message: ThreadMessage, visitor: string, width: number): string[] {
  const { id, sender_type, content, ai_draft, status, created_at, sent_by, from_draft_of } = message;
  const isVisitor = sender_type === 'visitor';
  const who = printable(isVisitor ? visitor : (sent_by ?? 'the team'));
  const marks = [
    paint(['bold', isVisitor ? 'cyan' : 'green'])(who),
    dim(`${dateAndTime(created_at)}, ${ago(created_at)}`),
    dim(`message ${id}`),
  ];
  if (from_draft_of !== null) marks.push(dim(`from the draft on ${from_draft_of}`));
  if (isVisitor && status === 'sent') marks.push(alarm('unread'));
  if (message.delivery) marks.push(deliveryMark(message.delivery));
  const lines = [
    ...flow(marks, width),
    ...indented(content, '  ', width),
    ...(message.delivery?.error ? indented(message.delivery.error, '  ! ', width) : []),
  ];
  if (ai_draft === null) return lines;
  return [...lines, paint('yellow')('  Draft, not sent:'), ...indented(ai_draft, '  | ', width)];
}

/** Says what became of the mail of a reply. */
function deliveryMark({ state, error }: NonNullable<ThreadMessage['delivery']>): string {
  const words = deliveryWords(state, error);
  return state === 'failed' || state === 'bounced' ? alarm(words) : dim(words);
}

/** Puts marks on lines, as many on each as fit. */
function flow(marks: readonly string[], width: number): string[] {
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
