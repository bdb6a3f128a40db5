import { latestOnly } from '../../../../src/shared/waiting.ts';
import type { ThreadMessage } from '../../../access/pages.ts';
import type { App } from '../../app/app.ts';
import { action, type Part } from '../../app/types.ts';
import { moves } from '../../list/moves.ts';
import { readComments } from '../../parts/commenting.ts';
import type { Conversation } from './rows.ts';
import { readMessages } from './rows.ts';
import { type Loaded, type ThreadHints, threadView } from './thread-view.ts';

export interface Thread extends Part {
  isOpen(): boolean;
  /** The conversation that is read; undefined if none is, or it is not known yet. */
  conversation(): Conversation | undefined;
  /** The messages of a conversation, if it is the one that is read. */
  messagesOf(id: string): readonly ThreadMessage[] | undefined;
  /** The newest message that was on the screen. */
  seen(): number | undefined;
  /** @param isVisit - Esc leads back to the screen that one came from */
  open(id: string, known?: Conversation, isVisit?: boolean): void;
  close(): void;
  /** Loads it again after a change, and shows its end if something was sent. */
  changed(isSent?: boolean): void;
}

/**
 * Shows the messages of one conversation, and takes the keys that move while it is open. It starts at the first unread
 * message, or at the newest, and loads earlier ones when somebody scrolls up to them.
 *
 * @param current - the conversation that the list is on
 */
export function threadPart(app: App, current: () => Conversation | undefined, hints: ThreadHints): Thread {
  let shown: Loaded | undefined;
  let isVisit = false;
  let isLoadingOlder = false;
  const view = threadView(hints);
  const startRequest = latestOnly();

  const load = async () => {
    const mine = shown;
    if (mine === undefined) return;
    const isNewest = startRequest();
    try {
      const [page, comments, visitorMail] = await Promise.all([
        readMessages(app, mine.id),
        readComments(app, { conversation_id: mine.id }),
        mine.visitorMail ??
          app.call('session.show', { include: 'visitor_mail' }).then((session) => session.visitor_mail),
      ]);
      // Not of a conversation that was left meanwhile, and not an answer that a later one has overtaken.
      if (mine !== shown || !isNewest()) return;
      const isFirst = mine.messages === undefined;
      const first = page.messages[0];
      // If more messages are new than a page holds, those between are loaded when somebody scrolls up.
      const isJoined = first !== undefined && mine.messages?.some(({ id }) => id >= first.id) === true;
      const before = isJoined ? (mine.messages ?? []).filter(({ id }) => id < first.id) : [];
      Object.assign(mine, {
        conversation: page.conversation,
        issues: page.issues,
        comments,
        visitorMail,
        error: '',
        messages: [...before, ...page.messages],
        next: before.length === 0 ? (page.nextCursor ?? null) : mine.next,
      });
      if (isFirst) view.start(page.messages);
    } catch (error) {
      if (mine === shown && isNewest()) mine.error = app.explain(error);
    }
    app.changed();
  };
  const loadOlder = async () => {
    const mine = shown;
    const cursor = mine?.next;
    if (mine === undefined || !cursor || isLoadingOlder) return;
    isLoadingOlder = true;
    try {
      const page = await readMessages(app, mine.id, cursor);
      if (mine !== shown || mine.next !== cursor) return;
      Object.assign(mine, {
        messages: [...page.messages, ...(mine.messages ?? [])],
        next: page.nextCursor ?? null,
      });
    } finally {
      isLoadingOlder = false;
    }
  };
  const scrollTo = (top: number) => {
    view.scrollTo(top);
    if (view.top() === 0) void app.attempt(loadOlder);
  };

  const thread: Thread = {
    isOpen: () => shown !== undefined,
    conversation: () => shown?.conversation ?? undefined,
    messagesOf: (id) => (shown?.id === id ? shown.messages : undefined),
    seen: view.seen,
    open(id, known, isVisited = false) {
      isVisit = isVisited;
      if (shown?.id === id) return;
      shown = { id, conversation: known, issues: [], comments: [], next: null, error: '' };
      view.clear();
      void load();
    },
    close() {
      shown = undefined;
      isVisit = false;
    },
    changed(isSent = false) {
      if (isSent) view.scrollTo(Number.POSITIVE_INFINITY);
      void load();
      app.refresh();
    },
    actions: () => [
      action(
        'thread.open',
        ['enter', 'l', 'right'],
        { title: 'Read the conversation', ...(shown === undefined ? { hint: 'read' } : {}) },
        () => {
          const row = current();
          if (shown === undefined && row !== undefined) thread.open(row.id, row);
        },
      ),
      action('thread.close', ['h', 'left'], { title: 'Go back to the list' }, thread.close),
      ...(shown === undefined
        ? []
        : moves({
            move: (by) => scrollTo(view.top() + by),
            moveTo: scrollTo,
            page: view.page,
          })),
    ],
    coversList: true,
    panel: (size) => (shown === undefined ? undefined : view.draw(shown, size)),
    back() {
      if (shown === undefined) return false;
      const wasVisit = isVisit;
      thread.close();
      return !wasVisit;
    },
    refresh: load,
  };
  return thread;
}
