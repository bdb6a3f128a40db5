import type { Event } from '../../../src/contract/events/envelope.ts';

/** Whether a person is notified about new Critical issues and new messages of visitors. */
export const notifyModes = ['off', 'bell'] as const;
export type NotifyMode = (typeof notifyModes)[number];

/** How long events are collected: one's own change is known as such only after its answer. */
const collectMs = 400;
/** A burst is over when nothing came for so long. It rings once. */
const burstMs = 10_000;

export interface Bell {
  receive(events: readonly Event[]): void;
  /** Takes the id of something that this dashboard created, for which it does not ring. */
  created(id: string | number): void;
  stop(): void;
}

/**
 * Rings for what somebody should look at.
 *
 * @param isOwn - reports whether an actor is the account of this dashboard
 */
export function createBell(
  mode: () => NotifyMode,
  isOwn: (actor: string) => boolean,
  ring: () => void,
): Bell {
  let news: Event[] = [];
  let timer: NodeJS.Timeout | undefined;
  let rangAt = Number.NEGATIVE_INFINITY;
  const own = new Set<string>();
  const flush = () => {
    const others = news.filter((event) => !isOwn(event.actor) && !own.has(aboutOf(event)));
    news = [];
    timer = undefined;
    if (others.length === 0 || mode() === 'off') return;
    const isBurst = performance.now() - rangAt < burstMs;
    rangAt = performance.now();
    if (!isBurst) ring();
  };
  return {
    receive(events) {
      news.push(...events.filter(isNews));
      if (news.length > 0) timer ??= setTimeout(flush, collectMs);
    },
    created: (id) => void own.add(String(id)),
    stop: () => clearTimeout(timer),
  };
}

const isNews = ({ type, data }: Event) =>
  (type === 'issue.created' && data.severity === 'Critical') ||
  (type === 'message.created' && data.sender_type === 'visitor');

/** Returns the id of the issue or of the conversation. */
const aboutOf = (event: Event) =>
  event.type === 'message.created' ? event.data.conversation_id : (event.subject_id ?? '');
