import type { OperationId } from '../../../src/contract/registry.ts';
import { createStore, type Store } from '../state/store.ts';
import { describeCall, type VisitorOf } from './describe-call.ts';

/** A change that this session made or tried, by one or several calls. */
export interface LogEntry {
  readonly at: number;
  readonly what: string;
  /** Where: the name of the workplace. */
  readonly target: string;
  readonly outcome: 'running' | 'done' | 'failed' | 'undone';
  /** Why it failed, in a sentence. */
  readonly failure: string;
  /** The numbers under which it can be undone, in the order of its calls. One that failed may have some too. */
  readonly changeIds: readonly number[];
}

/** What this session has changed, newest first. It is kept in memory only. */
export interface SessionLog {
  readonly store: Store<{ readonly entries: readonly LogEntry[] }>;
  /** Records that a call starts. */
  begin(id: OperationId, input: unknown, target: string, at: number, visitorOf?: VisitorOf): RunningEntry;
  /** Records that several calls start, which a person sees as one change. */
  beginGroup(what: string, target: string, at: number): RunningGroup;
  /** Returns what is being changed now. */
  running(target: string): readonly string[];
}

/** Receives how a recorded call has ended. */
export interface RunningEntry {
  succeeded(output: unknown): void;
  failed(sentence: string): void;
}

/** Receives how the calls of a change have ended, then how the whole has. */
export interface RunningGroup {
  begin(id: OperationId, input: unknown): RunningEntry;
  succeeded(): void;
  failed(sentence: string): void;
}

const maxEntries = 500;

export function createSessionLog(): SessionLog {
  const store = createStore<{ entries: readonly LogEntry[] }>({ entries: [] });
  const add = (what: string, target: string, at: number) => {
    let entry: LogEntry = { at, what, target, outcome: 'running', failure: '', changeIds: [] };
    store.set({ entries: [entry, ...store.get().entries].slice(0, maxEntries) });
    return (change: (before: LogEntry) => Partial<LogEntry>) => {
      entry = replace(entry, change(entry));
    };
  };
  const replace = (before: LogEntry, change: Partial<LogEntry>): LogEntry => {
    const after = { ...before, ...change };
    store.set({ entries: store.get().entries.map((each) => (each === before ? after : each)) });
    return after;
  };
  const entryOf = (changeId: number | null, target: string) =>
    store.get().entries.find((each) => each.target === target && each.changeIds.includes(changeId ?? -1));
  /** Takes note of a call that has undone a change. One that took several calls is undone when all of them are. */
  const noteUndo = (id: OperationId, input: unknown, target: string) => {
    const changeId = id === 'changes.undo' ? changeIdIn(input) : null;
    const undone = entryOf(changeId, target);
    if (undone === undefined) return;
    const changeIds = undone.changeIds.filter((each) => each !== changeId);
    replace(undone, { changeIds, ...(changeIds.length === 0 ? { outcome: 'undone' } : {}) });
  };
  const withChange = ({ changeIds }: LogEntry, output: unknown) => {
    const changeId = changeIdIn(output);
    return changeId === null || changeIds.includes(changeId) ? changeIds : [...changeIds, changeId];
  };

  return {
    store,
    begin(id, input, target, at, visitorOf) {
      const undone = id === 'changes.undo' ? entryOf(changeIdIn(input), target) : undefined;
      const update = add(
        undone === undefined ? describeCall(id, input, visitorOf) : undoOf(undone),
        target,
        at,
      );
      return {
        succeeded(output) {
          update((entry) => ({ outcome: 'done', changeIds: withChange(entry, output) }));
          noteUndo(id, input, target);
        },
        failed: (failure) => update(() => ({ outcome: 'failed', failure })),
      };
    },
    beginGroup(what, target, at) {
      const update = add(what, target, at);
      return {
        begin: (id, input) => ({
          succeeded(output) {
            update((entry) => ({ changeIds: withChange(entry, output) }));
            noteUndo(id, input, target);
          },
          // The whole has failed, which says why.
          failed: () => {},
        }),
        succeeded: () => update(() => ({ outcome: 'done' })),
        failed: (failure) => update(() => ({ outcome: 'failed', failure })),
      };
    },
    running: (target) =>
      store
        .get()
        .entries.filter((each) => each.outcome === 'running' && each.target === target)
        .map(({ what }) => what),
  };
}

/** Returns what the undo of a change is called. */
export function undoOf({ what }: Pick<LogEntry, 'what'>): string {
  return `Undo: ${what}`;
}

function changeIdIn(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('change_id' in value)) return null;
  return typeof value.change_id === 'number' ? value.change_id : null;
}
