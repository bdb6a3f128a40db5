import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { counted, grouped } from '../../../output/number.ts';
import { choiceDialog } from '../../dialogs/choice.tsx';
import { firstKeyOf } from '../../keys/keymap.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import { statusPaint } from '../../theme.ts';
import type { IssueRow } from './row.ts';
import type { IssuesState } from './view.tsx';

/** A change of more issues is confirmed first. */
const maxUnasked = 20;
/** One call takes this many, so that progress shows and Esc stops within a moment. */
const issuesPerCall = 2_000;

export interface StatusChangeOptions {
  readonly store: Store<IssuesState>;
  readonly list: List<IssueRow>;
  readonly onChanged: () => Promise<void>;
}

/** Changes the status of issues, and undoes the last such change. */
export interface StatusChange {
  /** Asks for a status and sets it on the selected issues, or on the current one. */
  ask(current: IssueRow): void;
  undo(): Promise<void>;
  /** Stops a change that is running, after its current call. Returns false if none is. */
  stop(): boolean;
  /** Says that a change is running, if one is. */
  unfinished(): readonly string[];
}

type Status = IssueRow['status'];

/** A change that is running. */
interface Run {
  readonly status: Status;
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

export function statusChange(app: App, { store, list, onChanged }: StatusChangeOptions): StatusChange {
  let running: Run | undefined;
  /** The numbers of the last change, which took one or several calls. */
  let last: readonly number[] = [];

  async function setStatus(rows: readonly IssueRow[], status: Status): Promise<void> {
    const run: Run = { status, total: rows.length, isStopped: false };
    const progress: Progress = { done: new Set(), gone: new Set(), changes: [] };
    running = run;
    try {
      await sendAll(rows, run, progress);
    } catch (error) {
      // The issues that were not changed stay selected, so that the user can try again on what they are now.
      void list.refresh();
      const sentence = `Changed ${grouped(progress.done.size)} of ${counted(rows.length, 'issue')}.`;
      throw new Error(`${sentence} ${app.explain(error)}`, { cause: error });
    } finally {
      running = undefined;
      const { done, gone, changes } = progress;
      if (changes.length > 0) last = changes;
      list.updateRows((row) => (done.has(row.id) ? { ...row, status } : row));
      const left = [...store.get().selected].filter((id) => !done.has(id) && !gone.has(id));
      store.set({ selected: new Set(left) });
    }
    app.showMessage(describe(rows, run, progress));
    await onChanged();
  }

  async function sendAll(rows: readonly IssueRow[], run: Run, { done, gone, changes }: Progress) {
    const [first] = rows;
    // What the user saw of one issue must still be so. Of several, they see the number.
    const seen = rows.length === 1 && first !== undefined ? { expected: { status: first.status } } : {};
    for (let from = 0; from < rows.length && !run.isStopped; from += issuesPerCall) {
      if (rows.length > issuesPerCall) app.showMessage(describeProgress(run, done.size), 'note');
      const ids = rows.slice(from, from + issuesPerCall).map(({ id }) => id);
      const { unknown, change_id } = await app.call('issues.update', {
        ids,
        set: { status: run.status },
        ...seen,
      });
      for (const id of unknown) gone.add(Number(id));
      for (const id of ids) if (!gone.has(id)) done.add(id);
      if (change_id !== null) changes.push(change_id);
    }
  }

  function describeProgress({ status, total }: Run, done: number): string {
    return `Setting ${counted(total, 'issue')} to ${status}: ${grouped(done)} done. Esc stops.`;
  }

  function describe(
    rows: readonly IssueRow[],
    { status, total, isStopped }: Run,
    progress: Progress,
  ): string {
    const { done, gone, changes } = progress;
    const subject =
      total === 1 && done.size === 1
        ? `#${rows[0]?.id} is`
        : `${counted(done.size, 'issue is', 'issues are')}`;
    return [
      ...(isStopped ? [`Stopped. ${grouped(total - done.size - gone.size)} were not changed.`] : []),
      `${subject} now ${status}.`,
      ...(gone.size > 0 ? [`${counted(gone.size, 'no longer exists', 'no longer exist')}.`] : []),
      ...(changes.length > 0 ? [`${firstKeyOf(app.keymap, 'issues.undo')} undoes this.`] : []),
    ].join(' ');
  }

  function choose(rows: readonly IssueRow[], status: Status): Promise<void> {
    if (rows.length <= maxUnasked) return setStatus(rows, status);
    app.confirm(`Set ${counted(rows.length, 'issue')} to ${status}?`, () => setStatus(rows, status));
    return Promise.resolve();
  }

  return {
    ask(current) {
      if (running !== undefined) return app.showMessage('A change is running. Esc stops it.', 'note');
      const { selected } = store.get();
      const rows =
        selected.size === 0 ? [current] : list.store.get().rows.filter(({ id }) => selected.has(id));
      const [first] = rows;
      if (first === undefined) return app.showMessage('The selected issues are not in this list.', 'note');
      const name = rows.length === 1 ? `#${first.id} ${first.title}` : counted(rows.length, 'issue');
      app.open(
        choiceDialog(app, {
          title: `Status of ${name}`,
          options: issueStatuses,
          current: rows.every(({ status }) => status === first.status) ? first.status : '',
          paint: statusPaint,
          onChoose: (status) => choose(rows, status as Status),
        }),
      );
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
