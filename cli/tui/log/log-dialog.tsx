import { apart, cut, fit, wrap } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';
import { Lines } from '../components/lines.tsx';
import { keyHints } from '../keys/key-hints.ts';
import { moveList } from '../list/move.ts';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { createStore, useStore } from '../state/store.ts';
import { theme } from '../theme.ts';
import { type LogEntry, undoOf } from './session-log.ts';
import { undoChanges } from './undo-changes.ts';

const maxRows = 12;
/** An empty row and the lines about the entry under the cursor. */
const detailRows = 3;

const signs: Readonly<Record<LogEntry['outcome'], string>> = {
  running: '…',
  done: '✓',
  failed: '✗',
  undone: '↶',
};

/** Lists what this session has changed, newest first, and undoes it where that is possible. */
export function logDialog(app: App): Dialog {
  const { store: log } = app.log;
  const cursor = createStore<{ readonly entry: LogEntry | undefined; readonly index: number }>({
    entry: log.get().entries[0],
    index: 0,
  });
  /** The cursor stays on its entry when others are added. */
  const indexIn = (entries: readonly LogEntry[]) => {
    const { entry, index } = cursor.get();
    const found = entries.findIndex((each) => each.at === entry?.at && each.what === entry.what);
    return found === -1 ? Math.max(0, Math.min(index, entries.length - 1)) : found;
  };
  const moveTo = (to: number) => {
    const { entries } = log.get();
    const index = Math.max(0, Math.min(to, entries.length - 1));
    cursor.set({ index, entry: entries[index] });
  };
  const undo = async () => {
    const entry = log.get().entries[indexIn(log.get().entries)];
    if (entry === undefined) return;
    const refusal = undoRefusal(entry, app.target);
    if (refusal !== undefined) return app.showMessage(refusal, 'note');
    app.showMessage(await undoChanges(app, undoOf(entry), entry.changeIds));
    app.refreshAll();
  };
  const dialog: Dialog = {
    title: () => 'Log of this session',
    chain: () => 'log',
    subscribe: log.subscribe,
    rows: () => Math.max(1, Math.min(maxRows, log.get().entries.length)) + detailRows,
    perform(action) {
      if (action === 'everywhere.back' || action === 'log.close') return app.close(dialog);
      if (action === 'log.undo') return void app.attempt(undo);
      const { entries } = log.get();
      moveList(
        {
          pageRows: maxRows,
          move: (by) => moveTo(indexIn(entries) + by),
          toFirst: () => moveTo(0),
          toLast: () => moveTo(entries.length - 1),
        },
        action,
      );
    },
    View: ({ width, height }: Size) => {
      const { entries } = useStore(log);
      useStore(cursor);
      const index = indexIn(entries);
      const room = height - detailRows;
      const top = Math.max(0, Math.min(index - Math.floor(room / 2), entries.length - room));
      const lines = entries.slice(top, top + room).map((entry, offset) => {
        const text = oneLine(entry, app.target, width - 4);
        return `  ${top + offset === index ? theme.selected(fit(text, width - 4)) : text}`;
      });
      const current = entries[index];
      const about = current === undefined ? [] : details(app, current, width - 4);
      const none = [theme.quiet('    This session has changed nothing.')];
      return <Lines lines={[...(entries.length === 0 ? none : lines), '', ...about]} height={height} />;
    },
  };
  return dialog;
}

function oneLine({ at, what, target, outcome }: LogEntry, here: string, cells: number): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const where = target === here ? '' : ` ${cut(target, 20)}`;
  return apart(cut(`${time}  ${signs[outcome]} ${printable(what)}`, cells - where.length - 1), where, cells);
}

function details(app: App, entry: LogEntry, cells: number): string[] {
  const refusal = undoRefusal(entry, app.target);
  if (entry.outcome !== 'failed')
    return [`  ${theme.quiet(refusal ?? keyHints(app, ['log.undo', 'undoes it.']).join(''))}`];
  const part = refusal === undefined ? keyHints(app, ['log.undo', 'undoes what it changed.']) : [];
  return [
    ...wrap(entry.failure, cells)
      .slice(0, detailRows - 1 - part.length)
      .map(theme.bad),
    ...part.map(theme.quiet),
  ].map((line) => `  ${line}`);
}

/** Returns why an entry cannot be undone, in a sentence; undefined if it can. */
function undoRefusal({ outcome, changeIds, target }: LogEntry, here: string): string | undefined {
  if (outcome === 'running') return 'It is still running.';
  if (outcome === 'undone') return 'It was undone.';
  if (changeIds.length === 0)
    return outcome === 'failed' ? 'It failed, so there is nothing to undo.' : 'It cannot be undone.';
  return target === here ? undefined : `It was made on ${target}. Go there to undo it.`;
}
