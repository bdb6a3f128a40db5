import type { OperationId } from '../../../src/contract/registry.ts';
import { createStore, type Store } from '../state/store.ts';
import { describeCall } from './describe-call.ts';

/** A change that this session made or tried. */
export interface LogEntry {
  readonly at: number;
  readonly what: string;
  /** Where: the name of the workplace. */
  readonly target: string;
  readonly outcome: 'running' | 'done' | 'failed' | 'undone';
  /** Why it failed, in a sentence. */
  readonly failure: string;
  /** The number under which it can be undone, or null. */
  readonly changeId: number | null;
}

/** What this session has changed, newest first. It is kept in memory only. */
export interface SessionLog {
  readonly store: Store<{ readonly entries: readonly LogEntry[] }>;
  /** Records that a call starts. */
  begin(id: OperationId, input: unknown, target: string, at: number): RunningEntry;
  /** Returns what is being changed now. */
  running(target: string): readonly string[];
}

/** Receives how a recorded call has ended. */
export interface RunningEntry {
  succeeded(output: unknown): void;
  failed(sentence: string): void;
}

const maxEntries = 500;

export function createSessionLog(): SessionLog {
  const store = createStore<{ entries: readonly LogEntry[] }>({ entries: [] });
  const replace = (before: LogEntry, after: LogEntry) =>
    store.set({ entries: store.get().entries.map((each) => (each === before ? after : each)) });
  /** Returns the entry that an undo is about. */
  const undoneBy = (id: OperationId, input: unknown, target: string) => {
    const changeId = id === 'changes.undo' ? changeIdIn(input) : null;
    return changeId === null
      ? undefined
      : store.get().entries.find((each) => each.changeId === changeId && each.target === target);
  };
  return {
    store,
    begin(id, input, target, at) {
      const undone = undoneBy(id, input, target);
      const what = undone === undefined ? describeCall(id, input) : `Undo: ${undone.what}`;
      const entry: LogEntry = { at, what, target, outcome: 'running', failure: '', changeId: null };
      store.set({ entries: [entry, ...store.get().entries].slice(0, maxEntries) });
      return {
        succeeded(output) {
          replace(entry, { ...entry, outcome: 'done', changeId: changeIdIn(output) });
          const now = undone && undoneBy(id, input, target);
          if (now !== undefined) replace(now, { ...now, outcome: 'undone', changeId: null });
        },
        failed: (failure) => replace(entry, { ...entry, outcome: 'failed', failure }),
      };
    },
    running: (target) =>
      store
        .get()
        .entries.filter((each) => each.outcome === 'running' && each.target === target)
        .map(({ what }) => what),
  };
}

function changeIdIn(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('change_id' in value)) return null;
  return typeof value.change_id === 'number' ? value.change_id : null;
}
