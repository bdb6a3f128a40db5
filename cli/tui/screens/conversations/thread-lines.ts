import { channelOf } from '../../../../src/contract/channels.ts';
import { type DeliveryState, deliveryWords, noVisitorMail } from '../../../../src/contract/deliveries.ts';
import { fileSize } from '../../../../src/shared/text.ts';
import type { ThreadMessage } from '../../../access/thread.ts';
import { apart, cut, wrap } from '../../../terminal/cells.ts';
import { printable } from '../../../terminal/text.ts';
import { titleRule } from '../../components/title-rule.ts';
import { keyHints } from '../../keys/key-hints.ts';
import type { App } from '../../state/app.ts';
import { age, dateTime } from '../../text/age.ts';
import { severityPaint, statusPaint, theme } from '../../theme.ts';
import { type Comment, commentLines } from '../comments/comment.ts';
import { lastFailed, type ThreadLines, type ThreadState, waitingDrafts } from './thread.ts';

/** Longer lines of text are hard to read. */
const maxTextCells = 90;

/** Returns the visible lines of a thread: who it is with, then the messages that fit. */
export function threadLines(
  app: App,
  state: ThreadState,
  width: number,
  rows: number,
  isReading: boolean,
): ThreadLines {
  const { conversation, messages, phase, error, below } = state;
  const nothing = { total: 0, height: rows, width, first: messages[0]?.id, last: messages.at(-1)?.id };
  if (state.id === null) return { ...nothing, shown: [] };
  if (phase !== 'ready') {
    const status = phase === 'loading' ? theme.quiet('Loading…') : theme.bad(`✗ ${error}`);
    return { ...nothing, shown: ['', `  ${status}`] };
  }
  if (conversation === null)
    return { ...nothing, shown: ['', `  ${theme.quiet('This conversation no longer exists.')}`] };

  const head = [...heading(state, width, isReading)];
  const lines = messageLines(app, state, width);
  const height = Math.max(1, rows - head.length);
  const end = Math.max(Math.min(height, lines.length), lines.length - below);
  const visibleLines = lines.slice(Math.max(0, end - height), end);
  const hidden = lines.length - end;
  if (hidden > 0) visibleLines[visibleLines.length - 1] = theme.accent(`  ↓ ${hidden + 1} more lines`);
  return { ...nothing, shown: [...head, ...visibleLines], total: lines.length, height };
}

function heading(
  { conversation, issues, error, visitorMail }: ThreadState,
  width: number,
  isReading: boolean,
): string[] {
  if (conversation === null) return [];
  const { visitor_name, visitor_email, subject, status, unread_count, assignee = null, page } = conversation;
  const channel = channelOf(conversation);
  const via = printable(`via ${channel}${page ? ` · ${page}` : ''}`);
  const title = titleRule(printable(subject || 'No subject'), width);
  const who = cut(`${printable(visitor_name)} <${printable(visitor_email)}>`, width - 26);
  const unread = unread_count > 0 ? theme.alarm(`${unread_count} unread `) : '';
  const assigned = assignee === null ? '' : `${theme.quiet(cut(`@${printable(assignee.username)}`, 16))} `;
  const linked = issues.map(({ id, title, severity, status: issueStatus }) =>
    cut(`  → #${id} ${printable(title)}`, width - 26).concat(
      `  ${severityPaint(severity)(printable(severity))} ${statusPaint(issueStatus)(issueStatus)}`,
    ),
  );
  const failed = error === '' ? [] : [`  ${theme.bad(cut(`✗ ${error}`, width - 4))}`];
  return [
    isReading ? title : theme.quiet(title),
    apart(`  ${theme.strong(who)}`, `${unread}${assigned}${statusPaint(status)(printable(status))} `, width),
    ...(channel === undefined ? [] : [`  ${theme.quiet(cut(via, width - 4))}`]),
    ...linked,
    ...(visitorMail === undefined || visitorMail === 'on'
      ? []
      : [theme.quiet(cut(`  ${noVisitorMail[visitorMail]}`, width - 2))]),
    ...failed,
    '',
  ];
}

function messageLines(app: App, state: ThreadState, width: number): string[] {
  const { messages, nextCursor } = state;
  const waiting = new Set(waitingDrafts(messages).map(({ id }) => id));
  const cells = Math.min(maxTextCells, width - 6);
  const failed = lastFailed(messages);
  const lines = inOrder(state).flatMap((entry) =>
    'author' in entry
      ? [...internalLines(entry, cells, app.now()), '']
      : [
          ...oneMessage(state, entry, width, cells, app.now()),
          ...(entry.id === failed?.id ? resendLines(app) : []),
          ...(waiting.has(entry.id) ? draftLines(app, entry, cells) : []),
          '',
        ],
  );
  const hint = keyHints(app, ['talk.reply', 'writes the first message.']);
  const before = nextCursor === null ? [] : [theme.quiet('  ↑ earlier messages'), ''];
  return lines.length === 0
    ? [theme.quiet(`  ${['No messages yet.', ...hint].join(' ')}`)]
    : [...before, ...lines];
}

/** Returns the messages with the comments between them, oldest first. Those before the first loaded message wait. */
function inOrder({ messages, comments, nextCursor }: ThreadState): readonly (ThreadMessage | Comment)[] {
  const first = nextCursor === null ? '' : (messages[0]?.created_at ?? '');
  const shown = comments.filter(({ created_at }) => created_at >= first);
  if (shown.length === 0) return messages;
  return [...messages, ...shown].sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
}

/** Returns the lines of a comment, which say that it is no message. */
function internalLines(comment: Comment, cells: number, now: number): string[] {
  const [head = '', ...text] = commentLines(comment, cells + 4, now);
  return [`${head}  ${theme.quiet('only for the team')}`, ...text.map((line) => theme.quiet(line))];
}

function oneMessage(
  { conversation }: ThreadState,
  message: ThreadMessage,
  width: number,
  cells: number,
  now: number,
): string[] {
  const { sender_type, created_at, status, sent_by, from_draft_of, delivery } = message;
  const isVisitor = sender_type === 'visitor';
  const name = isVisitor ? printable(conversation?.visitor_name ?? 'Visitor') : printable(sent_by ?? 'admin');
  const who = isVisitor ? theme.strong(`◂ ${cut(name, 40)}`) : theme.title(`▸ ${cut(name, 40)}`);
  const isUnread = isVisitor && status === 'sent';
  const notes = [
    isUnread ? theme.alarm('● unread') : '',
    from_draft_of === null ? '' : theme.quiet('from a draft'),
    delivery ? deliveryPaint(delivery.state)(deliveryWords(delivery.state, delivery.error)) : '',
    theme.quiet(`${age(created_at, now)} · ${dateTime(created_at)}`),
  ].filter((note) => note !== '');
  const margin = isVisitor ? '    ' : `  ${theme.accent('│')} `;
  return [
    apart(`  ${who}`, `${notes.join('  ')} `, Math.min(width, maxTextCells + 6)),
    ...mailLines(message, cells).map((line) => `${margin}${line}`),
    ...(delivery?.error
      ? wrap(delivery.error, cells).map((line) => `${margin}${deliveryPaint(delivery.state)(line)}`)
      : []),
  ];
}

/** Returns the line that says how to send the mail again that failed last. */
const resendLines = (app: App) =>
  keyHints(app, ['talk.resend', 'sends the e-mail again.']).map(
    (hint) => `  ${theme.accent('│')} ${theme.quiet(hint)}`,
  );

const deliveryPaint = (state: DeliveryState) =>
  state === 'failed' || state === 'bounced' ? theme.bad : theme.quiet;

/** Returns the text of a message without what a mail quotes, then the files of the mail. */
function mailLines({ content, attachments, quoted_from }: ThreadMessage, cells: number): string[] {
  const quoted = quoted_from === undefined || quoted_from === null ? '' : content.slice(quoted_from).trim();
  const own = quoted === '' ? content : content.slice(0, quoted_from ?? undefined);
  const count = quoted.split('\n').length;
  const fold = quoted === '' ? [] : [`… ${count} quoted ${count === 1 ? 'line' : 'lines'}`];
  const files = (attachments ?? []).map(({ name, bytes }) => `⎘ ${printable(name)} (${fileSize(bytes)})`);
  return [...wrap(own, cells), ...[...fold, ...files].map((line) => theme.quiet(cut(line, cells)))];
}

function draftLines(app: App, { ai_draft }: ThreadMessage, cells: number): string[] {
  const hints = keyHints(
    app,
    ['talk.approve', 'approves'],
    ['talk.revise', 'edits'],
    ['talk.reject', 'rejects'],
  ).join(', ');
  const suffix = hints === '' ? '' : theme.quiet(` · ${hints}`);
  return [
    `  ${theme.warning('┊')} ${theme.warning('Draft reply, not sent')}${suffix}`,
    ...wrap(ai_draft ?? '', cells).map((line) => `  ${theme.warning('┊')} ${line}`),
  ];
}
