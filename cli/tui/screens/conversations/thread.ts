import type { OutputOf } from '../../../../src/contract/registry.ts';
import { latestOnly } from '../../../../src/shared/latest-only.ts';
import type { App } from '../../app.ts';
import { createStore, type Store } from '../../store.ts';

type Answer = OutputOf<'messages.list'>;
export type ThreadMessage = Answer['messages'][number];

export interface ThreadState {
  readonly id: string | null;
  readonly conversation: Answer['conversation'];
  /** The oldest first. */
  readonly messages: readonly ThreadMessage[];
  readonly issues: Answer['issues'];
  /** Where the messages before those begin; null where there are none. */
  readonly nextCursor: string | null;
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: string;
  /** How many lines below the last one that is seen there are. */
  readonly below: number;
}

/** What was drawn of a thread. */
export interface ThreadLines {
  readonly shown: readonly string[];
  /** Of all its messages. */
  readonly total: number;
  /** Of those that are seen at once. */
  readonly height: number;
  readonly width: number;
  /** The ids of the first and the last message. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** One conversation as it is read: from its end, further back as one scrolls. */
export interface ThreadPane {
  readonly store: Store<ThreadState>;
  pageRows: number;
  show(id: string | null): void;
  refresh(): Promise<void>;
  /** The view tells what it drew, so that scrolling knows its bounds. */
  measure(lines: ThreadLines, width: number): void;
  move(by: number): void;
  toFirst(): void;
  toLast(): void;
}

const nothing: ThreadState = {
  id: null,
  conversation: null,
  messages: [],
  issues: [],
  nextCursor: null,
  phase: 'loading',
  error: '',
  below: 0,
};
const page = 50;
/** Milliseconds on a row before its thread is asked for: whoever scrolls past needs none. */
const rest = 80;

export function createThread(app: App): ThreadPane {
  const store = createStore<ThreadState>(nothing);
  const beginLook = latestOnly();
  let pause: NodeJS.Timeout | undefined;
  let drawn: ThreadLines | undefined;
  let isLoadingOlder = false;

  const load = async (id: string) => {
    const isNewest = beginLook();
    try {
      const answer = await app.call('messages.list', { conversation_id: id, limit: page });
      const state = store.get();
      if (state.id !== id || !isNewest()) return;
      const first = answer.messages[0];
      // Where more have come than a page holds, those between are not known: they are loaded as one scrolls back.
      const isJoined = first !== undefined && state.messages.some(({ id }) => id >= first.id);
      const before = isJoined ? state.messages.filter(({ id }) => id < first.id) : [];
      const isWhole = state.phase !== 'ready' || before.length === 0;
      store.set({
        conversation: answer.conversation,
        messages: [...before, ...answer.messages],
        issues: answer.issues,
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
    const answer = await app.call('messages.list', { conversation_id: id, limit: page, cursor: nextCursor });
    const state = store.get();
    if (state.id !== id || state.nextCursor !== nextCursor) return;
    store.set({ messages: [...answer.messages, ...state.messages], nextCursor: answer.nextCursor ?? null });
  };
  const put = (below: number) => {
    const most = drawn === undefined ? 0 : Math.max(0, drawn.total - drawn.height);
    store.set({ below: Math.max(0, Math.min(below, most)) });
    if (below >= most && store.get().nextCursor !== null) {
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
      clearTimeout(pause);
      drawn = undefined;
      store.set({ ...nothing, id });
      if (id !== null) pause = setTimeout(() => void load(id), rest);
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
      // Whoever reads further up stays where they read when something is added below.
      const isLonger = before !== undefined && before.last !== last && before.width === lines.width;
      if (below > 0 && isLonger && before.first === lines.first) {
        queueMicrotask(() => put(below + lines.total - before.total));
      }
    },
    move: (by) => put(store.get().below - by),
    toFirst: () => put(Number.POSITIVE_INFINITY),
    toLast: () => put(0),
  };
  return thread;
}

/** Messages with a draft that nobody has sent or rejected, the oldest first. */
export function waitingDrafts(messages: readonly ThreadMessage[]): readonly ThreadMessage[] {
  const sent = new Set(messages.map(({ from_draft_of }) => from_draft_of));
  return messages.filter(({ id, ai_draft }) => ai_draft !== null && !sent.has(id));
}
