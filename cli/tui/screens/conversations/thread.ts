import type { VisitorMailMode } from '../../../../src/contract/known-settings/visitor-mail.ts';
import { latestOnly } from '../../../../src/shared/waiting.ts';
import type { ThreadMessage, ThreadPage } from '../../../access/thread.ts';
import type { App } from '../../state/app.ts';
import { createStore, type Store } from '../../state/store.ts';
import type { Comment } from '../comments/comment.ts';

export interface ThreadState {
  readonly id: string | null;
  readonly conversation: ThreadPage['conversation'];
  /** Oldest first. */
  readonly messages: readonly ThreadMessage[];
  readonly issues: ThreadPage['issues'];
  /** The latest comments of the team, oldest first. */
  readonly comments: readonly Comment[];
  /** Whether replies are sent to visitors by mail. Undefined until that is known. */
  readonly visitorMail: VisitorMailMode | undefined;
  /** The cursor of the earlier messages, or null if there are none. */
  readonly nextCursor: string | null;
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: string;
  /** How many lines follow the last visible one. */
  readonly below: number;
}

/** What the view drew of a thread. */
export interface ThreadLines {
  readonly shown: readonly string[];
  /** The number of lines of all messages. */
  readonly total: number;
  /** The number of message lines that are visible at once. */
  readonly height: number;
  readonly width: number;
  /** The ids of the first and last message. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** The messages of one conversation. It starts at the end and loads earlier messages when the user scrolls up. */
export interface ThreadPane {
  readonly store: Store<ThreadState>;
  pageRows: number;
  show(id: string | null): void;
  refresh(): Promise<void>;
  /** Receives what the view drew, which bounds the scrolling. */
  measure(lines: ThreadLines): void;
  move(by: number): void;
  toFirst(): void;
  toLast(): void;
}

const emptyThread: ThreadState = {
  id: null,
  conversation: null,
  messages: [],
  issues: [],
  comments: [],
  visitorMail: undefined,
  nextCursor: null,
  phase: 'loading',
  error: '',
  below: 0,
};
const pageMessages = 50;
const shownComments = 50;
/** How long the cursor must stay on a row before its thread loads, so that scrolling past rows loads none. */
const restMs = 80;

export function createThread(app: App): ThreadPane {
  const store = createStore<ThreadState>(emptyThread);
  const startRequest = latestOnly();
  let timer: NodeJS.Timeout | undefined;
  let drawn: ThreadLines | undefined;
  let isLoadingOlder = false;

  const load = async (id: string) => {
    const isNewest = startRequest();
    try {
      const [answer, { comments }, { visitor_mail }] = await Promise.all([
        app.call('messages.list', {
          conversation_id: id,
          limit: pageMessages,
          include: 'assignee,channel,delivery,attachments',
        }),
        app.call('comments.list', { conversation_id: id, limit: shownComments }),
        app.call('session.show', { include: 'visitor_mail' }),
      ]);
      const state = store.get();
      if (state.id !== id || !isNewest()) return;
      const first = answer.messages[0];
      // If more messages are new than fit on a page, there is a gap. They are loaded when the user scrolls up.
      const isJoined = first !== undefined && state.messages.some(({ id }) => id >= first.id);
      const before = isJoined ? state.messages.filter(({ id }) => id < first.id) : [];
      const isWhole = state.phase !== 'ready' || before.length === 0;
      store.set({
        conversation: answer.conversation,
        messages: [...before, ...answer.messages],
        issues: answer.issues,
        comments,
        visitorMail: visitor_mail,
        nextCursor: isWhole ? (answer.nextCursor ?? null) : state.nextCursor,
        phase: 'ready',
        error: '',
      });
    } catch (error) {
      const state = store.get();
      if (state.id !== id || !isNewest()) return;
      store.set({ phase: state.phase === 'ready' ? 'ready' : 'failed', error: app.explain(error) });
    }
  };
  const loadOlder = async () => {
    const { id, nextCursor } = store.get();
    if (id === null || nextCursor === null) return;
    const answer = await app.call('messages.list', {
      conversation_id: id,
      limit: pageMessages,
      include: 'delivery,attachments',
      cursor: nextCursor,
    });
    const state = store.get();
    if (state.id !== id || state.nextCursor !== nextCursor) return;
    store.set({ messages: [...answer.messages, ...state.messages], nextCursor: answer.nextCursor ?? null });
  };
  const scrollTo = (below: number) => {
    const max = drawn === undefined ? 0 : Math.max(0, drawn.total - drawn.height);
    store.set({ below: Math.max(0, Math.min(below, max)) });
    if (below >= max && store.get().nextCursor !== null) {
      if (isLoadingOlder) return;
      isLoadingOlder = true;
      void app.attempt(loadOlder).finally(() => {
        isLoadingOlder = false;
      });
    }
  };

  const thread: ThreadPane = {
    store,
    pageRows: 10,
    show(id) {
      if (store.get().id === id) return;
      clearTimeout(timer);
      drawn = undefined;
      store.set({ ...emptyThread, id });
      if (id !== null) timer = setTimeout(() => void load(id), restMs);
    },
    async refresh() {
      const { id } = store.get();
      if (id !== null) await load(id);
    },
    measure(lines) {
      const before = drawn;
      drawn = lines;
      thread.pageRows = lines.height;
      const { below } = store.get();
      const last = store.get().messages.at(-1)?.id;
      // When messages are added below, the visible lines stay.
      const isLonger = before !== undefined && before.last !== last && before.width === lines.width;
      if (below > 0 && isLonger && before.first === lines.first) {
        queueMicrotask(() => scrollTo(below + lines.total - before.total));
      }
    },
    move: (by) => scrollTo(store.get().below - by),
    toFirst: () => scrollTo(Number.POSITIVE_INFINITY),
    toLast: () => scrollTo(0),
  };
  return thread;
}

/** Returns the messages with a draft that was neither sent nor rejected, oldest first. */
export function waitingDrafts(messages: readonly ThreadMessage[]): readonly ThreadMessage[] {
  const sent = new Set(messages.map(({ from_draft_of }) => from_draft_of));
  return messages.filter(({ id, ai_draft }) => ai_draft !== null && !sent.has(id));
}

/** Returns the latest reply whose mail has failed, which can be sent again. */
export function lastFailed(messages: readonly ThreadMessage[]): ThreadMessage | undefined {
  return messages.findLast(({ delivery }) => delivery?.state === 'failed');
}
