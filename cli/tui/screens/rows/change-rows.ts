import { counted, grouped } from '../../../terminal/number.ts';
import { capitalized } from '../../../terminal/text.ts';
import { firstKeyOf } from '../../keys/keymap.ts';
import type { List } from '../../list/list.ts';
import { describeCall } from '../../log/describe-call.ts';
import { undoOf } from '../../log/session-log.ts';
import { undoChanges } from '../../log/undo-changes.ts';
import type { App } from '../../state/app.ts';
import type { RowChange, RowKind, SentChange } from './row-change.ts';
import type { Selection } from './selection.ts';

/** A change of more rows is confirmed first. */
const maxUnasked = 20;
/** One call takes this many, so that progress shows and Esc stops within a moment. */
const rowsPerCall = 2_000;

export interface RowChangesOptions<Row, Key extends string | number> {
  readonly kind: RowKind<Row, Key>;
  readonly list: List<Row>;
  readonly selection: Selection<Row, Key>;
  readonly onChanged: () => Promise<void>;
}

/** Changes rows, and undoes the last change. */
export interface RowChanges<Row> {
  /** Returns the selected rows, or the current one. Says why if there is nothing that can be changed now. */
  targets(current: Row): readonly Row[];
  /** Returns what the rows are called in the title of a dialog. */
  titleOf(rows: readonly Row[]): string;
  /** Makes a change, after a confirmation if it is one of many rows. */
  start(rows: readonly Row[], change: RowChange<Row>): Promise<void>;
  undo(): Promise<void>;
  /** Stops a change that is running, after its current call. Returns false if none is. */
  stop(): boolean;
  /** Says that a change is running, if one is. */
  unfinished(): readonly string[];
}

/** A change that is running, and what its calls have done so far. */
interface Run<Row, Key> {
  readonly change: RowChange<Row>;
  readonly rows: readonly Row[];
  readonly done: Set<Key>;
  readonly gone: Set<Key>;
  readonly sent: SentChange[];
  isStopped: boolean;
}

/** How the last change is undone. */
interface Undo {
  /** What the change is called in the log. */
  readonly what: string;
  readonly changeIds: readonly number[];
}

export function createRowChanges<Row, Key extends string | number>(
  app: App,
  { kind, list, selection, onChanged }: RowChangesOptions<Row, Key>,
): RowChanges<Row> {
  const { noun, keyOf, nameOf, titleOf = nameOf } = kind;
  let running: Run<Row, Key> | undefined;
  let last: Undo | undefined;
  let isUndoing = false;

  async function run(rows: readonly Row[], change: RowChange<Row>): Promise<void> {
    const started: Run<Row, Key> = {
      change,
      rows,
      done: new Set(),
      gone: new Set(),
      sent: [],
      isStopped: false,
    };
    running = started;
    const what = describeCall(kind.operation, { ids: rows.map(keyOf), set: change.shown }, app.visitorOf);
    try {
      await app.asOne(what, (call) => sendAll(call, started));
    } catch (error) {
      // The rows that were not changed stay selected, so that the user can try again on what they are now.
      void list.refresh();
      if (rows.length === 1) throw error;
      const sentence = `Changed ${grouped(started.done.size)} of ${counted(rows.length, noun)}.`;
      throw new Error(`${sentence} ${app.explain(error)}`, { cause: error });
    } finally {
      running = undefined;
      const { done, gone, sent } = started;
      const changeIds = changeIdsOf(sent);
      if (changeIds.length > 0) last = { what, changeIds };
      list.updateRows((row) => (done.has(keyOf(row)) ? (change.apply?.(row) ?? row) : row));
      selection.remove(new Set([...done, ...gone]));
    }
    app.showMessage(describe(started));
    await onChanged();
  }

  async function sendAll(call: App['call'], started: Run<Row, Key>): Promise<void> {
    const { change, rows, done, gone, sent } = started;
    const { set, expected } = change;
    const seen = rows.length === 1 && expected !== undefined ? { expected } : {};
    for (let from = 0; from < rows.length && !started.isStopped; from += rowsPerCall) {
      if (rows.length > rowsPerCall) app.showMessage(describeProgress(started), 'note');
      const keys = rows.slice(from, from + rowsPerCall).map(keyOf);
      const answer = await kind.send(call, keys, { set, ...seen });
      sent.push(answer);
      const unknown = new Set(answer.unknown.map(String));
      for (const key of keys) (unknown.has(String(key)) ? gone : done).add(key);
    }
    const [only] = rows;
    if (rows.length === 1 && gone.size === 1 && only !== undefined)
      throw new Error(`${capitalized(nameOf(only))} no longer exists.`);
  }

  function describeProgress({ change, rows, done }: Run<Row, Key>): string {
    return `${change.progress(counted(rows.length, noun))}: ${grouped(done.size)} done. Esc stops.`;
  }

  function describe({ change, rows, done, gone, sent, isStopped }: Run<Row, Key>): string {
    const [only] = rows;
    const subject =
      rows.length === 1 && only !== undefined
        ? `${capitalized(nameOf(only))} is`
        : counted(done.size, `${noun} is`, `${noun}s are`);
    const canUndo = changeIdsOf(sent).length > 0;
    const left = rows.length - done.size - gone.size;
    return [
      ...(isStopped
        ? [left === 0 ? 'Too late to stop.' : `Stopped. ${grouped(left)} were not changed.`]
        : []),
      `${subject} ${change.result}.`,
      ...(gone.size > 0 ? [`${counted(gone.size, 'no longer exists', 'no longer exist')}.`] : []),
      ...(canUndo ? [`${firstKeyOf(app.keymap, kind.undo)} undoes this.`] : []),
    ].join(' ');
  }

  /** What is left can be tried again. */
  function onUndone(changeId: number): void {
    if (last !== undefined) last = { ...last, changeIds: last.changeIds.filter((each) => each !== changeId) };
  }

  return {
    targets(current) {
      if (running !== undefined) {
        app.showMessage('A change is running. Esc stops it.', 'note');
        return [];
      }
      const selected = selection.keys();
      if (selected.size === 0) return [current];
      const rows = list.store.get().rows.filter((row) => selected.has(keyOf(row)));
      if (rows.length === 0) app.showMessage(`The selected ${noun}s are not in this list.`, 'note');
      return rows;
    },
    titleOf(rows) {
      const [first] = rows;
      return rows.length === 1 && first !== undefined ? titleOf(first) : counted(rows.length, noun);
    },
    start(rows, change) {
      if (rows.length <= maxUnasked) return run(rows, change);
      app.confirm(`${change.order(counted(rows.length, noun))}?`, () => run(rows, change));
      return Promise.resolve();
    },
    async undo() {
      if (isUndoing) return;
      if (last === undefined) return app.showMessage('There is no change to undo.', 'note');
      isUndoing = true;
      const { what, changeIds } = last;
      const sentence = await undoChanges(app, undoOf({ what }), changeIds, { noun, onUndone }).finally(() => {
        isUndoing = false;
      });
      last = undefined;
      // The next change is compared with what the list shows.
      await onChanged();
      app.showMessage(sentence);
    },
    stop() {
      if (running === undefined || running.isStopped) return false;
      running.isStopped = true;
      return true;
    },
    unfinished: () =>
      running === undefined ? [] : [`The change of ${counted(running.rows.length, noun)} is not finished.`],
  };
}

function changeIdsOf(sent: readonly SentChange[]): readonly number[] {
  return sent.flatMap(({ change_id }) => (change_id === null ? [] : [change_id]));
}
