import type { InputOf } from '../../../../src/contract/registry.ts';
import { counted, grouped } from '../../../output/number.ts';
import { firstKeyOf } from '../../keys/keymap.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import type { IssueRow } from './row.ts';
import type { IssuesState } from './state.ts';

/** A change of more issues is confirmed first. */
const maxUnasked = 20;
/** One call takes this many, so that progress shows and Esc stops within a moment. */
const issuesPerCall = 2_000;

type Update = InputOf<'issues.update'>;

/** What is set on issues, in words too. */
export interface IssueChange {
  readonly set: Update['set'];
  /** What the user saw of a single issue, which must still be so. Of several, they see the number. */
  readonly expected: Update['expected'];
  /** What it does, in the imperative: `Set 12 issues to Closed`. */
  readonly order: (issues: string) => string;
  /** The same while it happens: `Setting 12 issues to Closed`. */
  readonly progress: (issues: string) => string;
  /** What the issues are afterwards: `now Closed`. */
  readonly result: string;
  readonly apply: (row: IssueRow) => IssueRow;
}

export interface IssueChangesOptions {
  readonly store: Store<IssuesState>;
  readonly list: List<IssueRow>;
  readonly onChanged: () => Promise<void>;
}

/** Changes issues, and undoes the last change. */
export interface IssueChanges {
  /** Returns the selected issues, or the current one. Says why if there is nothing that can be changed now. */
  targets(current: IssueRow): readonly IssueRow[];
  /** Makes a change, after a confirmation if it is one of many issues. */
  start(rows: readonly IssueRow[], change: IssueChange): Promise<void>;
  undo(): Promise<void>;
  /** Stops a change that is running, after its current call. Returns false if none is. */
  stop(): boolean;
  /** Says that a change is running, if one is. */
  unfinished(): readonly string[];
}

/** A change that is running. */
interface Run {
  readonly change: IssueChange;
  readonly total: number;
  isStopped: boolean;
}

/** What the calls of a change have done so far. */
interface Progress {
  readonly done: Set<number>;
  readonly gone: Set<number>;
  /** The numbers under which it can be undone. */
  readonly changes: number[];
}

export function issueChanges(app: App, { store, list, onChanged }: IssueChangesOptions): IssueChanges {
  let running: Run | undefined;
  /** The numbers of the last change, which took one or several calls. */
  let last: readonly number[] = [];

  async function run(rows: readonly IssueRow[], change: IssueChange): Promise<void> {
    const started: Run = { change, total: rows.length, isStopped: false };
    const progress: Progress = { done: new Set(), gone: new Set(), changes: [] };
    running = started;
    try {
      await sendAll(rows, started, progress);
    } catch (error) {
      // The issues that were not changed stay selected, so that the user can try again on what they are now.
      void list.refresh();
      const sentence = `Changed ${grouped(progress.done.size)} of ${counted(rows.length, 'issue')}.`;
      throw new Error(`${sentence} ${app.explain(error)}`, { cause: error });
    } finally {
      running = undefined;
      const { done, gone, changes } = progress;
      if (changes.length > 0) last = changes;
      list.updateRows((row) => (done.has(row.id) ? change.apply(row) : row));
      const left = [...store.get().selected].filter((id) => !done.has(id) && !gone.has(id));
      store.set({ selected: new Set(left) });
    }
    app.showMessage(describe(rows, started, progress));
    await onChanged();
  }

  async function sendAll(rows: readonly IssueRow[], started: Run, { done, gone, changes }: Progress) {
    const { set, expected } = started.change;
    const seen = rows.length === 1 && expected !== undefined ? { expected } : {};
    for (let from = 0; from < rows.length && !started.isStopped; from += issuesPerCall) {
      if (rows.length > issuesPerCall) app.showMessage(describeProgress(started, done.size), 'note');
      const ids = rows.slice(from, from + issuesPerCall).map(({ id }) => id);
      const { unknown, change_id } = await app.call('issues.update', { ids, set, ...seen });
      for (const id of unknown) gone.add(Number(id));
      for (const id of ids) if (!gone.has(id)) done.add(id);
      if (change_id !== null) changes.push(change_id);
    }
  }

  function describeProgress({ change, total }: Run, done: number): string {
    return `${change.progress(counted(total, 'issue'))}: ${grouped(done)} done. Esc stops.`;
  }

  function describe(
    rows: readonly IssueRow[],
    { change, total, isStopped }: Run,
    progress: Progress,
  ): string {
    const { done, gone, changes } = progress;
    const subject =
      total === 1 && done.size === 1
        ? `#${rows[0]?.id} is`
        : `${counted(done.size, 'issue is', 'issues are')}`;
    return [
      ...(isStopped ? [`Stopped. ${grouped(total - done.size - gone.size)} were not changed.`] : []),
      `${subject} ${change.result}.`,
      ...(gone.size > 0 ? [`${counted(gone.size, 'no longer exists', 'no longer exist')}.`] : []),
      ...(changes.length > 0 ? [`${firstKeyOf(app.keymap, 'issues.undo')} undoes this.`] : []),
    ].join(' ');
  }

  return {
    targets(current) {
      if (running !== undefined) {
        app.showMessage('A change is running. Esc stops it.', 'note');
        return [];
      }
      const { selected } = store.get();
      if (selected.size === 0) return [current];
      const rows = list.store.get().rows.filter(({ id }) => selected.has(id));
      if (rows.length === 0) app.showMessage('The selected issues are not in this list.', 'note');
      return rows;
    },
    start(rows, change) {
      if (rows.length <= maxUnasked) return run(rows, change);
      app.confirm(`${change.order(counted(rows.length, 'issue'))}?`, () => run(rows, change));
      return Promise.resolve();
    },
    async undo() {
      if (last.length === 0) return app.showMessage('There is no change to undo.', 'note');
      let [restored, left] = [0, 0];
      while (last.length > 0) {
        const done = await app.call('changes.undo', { change_id: last.at(-1) as number });
        restored += done.restored;
        left += done.left;
        last = last.slice(0, -1);
      }
      const kept = left === 0 ? '' : ` ${counted(left, 'issue has', 'issues have')} changed since, and stay.`;
      app.showMessage(`Put back ${counted(restored, 'issue')}.${kept}`);
      await onChanged();
    },
    stop() {
      if (running === undefined || running.isStopped) return false;
      running.isStopped = true;
      return true;
    },
    unfinished: () =>
      running === undefined ? [] : [`The change of ${counted(running.total, 'issue')} is not finished.`],
  };
}

/** Returns what issues are called in the title of a dialog. */
export function nameOfIssues(rows: readonly IssueRow[]): string {
  const [first] = rows;
  return rows.length === 1 && first !== undefined
    ? `#${first.id} ${first.title}`
    : counted(rows.length, 'issue');
}
