import type { Event } from '../../../src/contract/events/envelope.ts';
import { cut } from '../../terminal/cells.ts';
import { counted } from '../../terminal/number.ts';
import { printable } from '../../terminal/text.ts';

/** How a person is notified about something new: not at all, by the terminal's bell, or by a notification of the desktop. */
export const notifyModes = ['off', 'bell', 'desktop'] as const;
export type NotifyMode = (typeof notifyModes)[number];

/** Notifies about new Critical issues and new messages of visitors. */
export interface Notifier {
  mode(): NotifyMode;
  change(mode: NotifyMode): void;
  receive(event: Event): void;
  /** Takes the id of something that this dashboard created, about which it does not notify. */
  created(id: string | number): void;
  stop(): void;
}

export interface NotifierOptions {
  readonly mode: NotifyMode;
  /** Tells a person, in one sentence. */
  readonly tell: (mode: Exclude<NotifyMode, 'off'>, sentence: string) => void;
  /** Returns the e-mail of the account that the dashboard acts as, or undefined if it has none. */
  readonly emailOf: () => string | undefined;
}

/** How long events are collected, so that several make one notification, and one's own are known as such. */
const collectMs = 400;
/** A burst is over when nothing came for so long. In a burst there is one notification. */
const burstMs = 10_000;
const maxOwnIds = 1_000;
const maxCells = 120;

type News = Extract<Event, { type: 'issue.created' | 'message.created' }>;

/** Returns the event if it is one that people are notified about. */
function newsOf(event: Event): News | undefined {
  if (event.type === 'issue.created') return event.data.severity === 'Critical' ? event : undefined;
  return event.type === 'message.created' && event.data.sender_type === 'visitor' ? event : undefined;
}

export function createNotifier({ mode: start, tell, emailOf }: NotifierOptions): Notifier {
  let mode = start;
  let news: News[] = [];
  let timer: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  const ownIds = new Set<string>();

  const flush = () => {
    const found = news;
    news = [];
    timer = undefined;
    const me = emailOf();
    const others = found.filter((each) => each.actor !== me && !ownIds.has(aboutOf(each)));
    if (others.length === 0 || mode === 'off') return;
    const isBurst = performance.now() - lastAt < burstMs;
    lastAt = performance.now();
    if (!isBurst) tell(mode, sentenceOf(others));
  };
  return {
    mode: () => mode,
    change(next) {
      mode = next;
    },
    receive(event) {
      const found = newsOf(event);
      if (found === undefined || mode === 'off') return;
      news.push(found);
      timer ??= setTimeout(flush, collectMs);
    },
    created(id) {
      ownIds.add(String(id));
      const [oldest] = ownIds;
      if (ownIds.size > maxOwnIds && oldest !== undefined) ownIds.delete(oldest);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Returns the id of the issue or of the conversation. */
function aboutOf(event: News): string {
  return event.type === 'issue.created' ? (event.subject_id ?? '') : event.data.conversation_id;
}

function sentenceOf(news: readonly News[]): string {
  const issues = news.filter((each) => each.type === 'issue.created');
  const [first] = issues;
  const messages = news.length - issues.length;
  const parts = [
    ...(issues.length === 1 && first?.type === 'issue.created'
      ? [`Critical issue ${first.subject_id}: ${first.data.title}`]
      : []),
    ...(issues.length > 1 ? [`${issues.length} new Critical issues`] : []),
    ...(messages > 0 ? [counted(messages, 'new message of a visitor', 'new messages of visitors')] : []),
  ];
  return cut(printable(parts.join(', ')), maxCells);
}

/** Returns what makes a terminal ring, or show a notification (OSC 9). tmux passes it on only if it is wrapped. */
export function notificationSequence(
  mode: Exclude<NotifyMode, 'off'>,
  sentence: string,
  multiplexer: 'tmux' | 'screen' | undefined,
): string {
  const bell = '\u0007';
  if (mode === 'bell') return bell;
  const sequence = `\u001B]9;Backoffice: ${sentence}${bell}`;
  return multiplexer === 'tmux'
    ? `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`
    : sequence;
}
