import { wait } from '../../../src/shared/waiting.ts';
import { cellsOf, cut, fit } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';
import { Lines } from '../components/lines.tsx';
import { Region } from '../components/region.tsx';
import { showLine, showNote } from '../components/text-field.ts';
import type { ActionId } from '../keys/actions.ts';
import { keyName } from '../keys/keymap.ts';
import { typingPauseMs } from '../list/list.ts';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { createStore, useStore } from '../state/store.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { type Edit, edit, emptyInput, insert, type TextInput } from '../text/edit.ts';
import { theme } from '../theme.ts';
import { type FoundRecord, findRecords, parseRecordQuery } from './find-records.ts';
import { contextEntries, type Entry, matchingActions, nameOf } from './palette-entries.ts';

const maxRows = 8;
const maxNameCells = 60;
const maxKeyCells = 14;

interface PaletteState {
  readonly input: TextInput;
  readonly index: number;
  /** The rows that a question such as `issue 4711` has found. */
  readonly records: readonly Entry[];
  /** Whether the rows of the text are still being searched for, or why that failed. */
  readonly search: string;
}

function showRecord(app: App, { screen, key }: FoundRecord): void {
  app.goTo(screen);
  app.screens[screen].showRecord?.(key);
}

function nothingFound(search: string, isQuestion: boolean): string {
  if (!isQuestion) return 'No commands match.';
  if (search === 'running') return 'Searching…';
  return search === 'none' ? 'Nothing found.' : `✗ ${search}`;
}

/** Finds and runs an action by name, and finds rows by a noun and words: `issue 4711`, `conv karim`. Offers no actions that are refused. */
export function paletteDialog(app: App): Dialog {
  const chain = app.screens[app.store.get().screen].chain();
  const isConversation = chain === 'thread' || chain === 'conversations';
  const scopes = isConversation ? [chain, 'talk', 'conversations'] : [chain];
  const store = createStore<PaletteState>({ input: emptyInput, index: 0, records: [], search: 'none' });
  const isOffered = (id: ActionId) => app.refusalOf(id) === undefined;
  const entryOf = (id: ActionId): Entry => ({
    name: nameOf(id),
    keys: app.keymap.keysOf(id).map(keyName).join(' '),
    run: () => app.runAction(id),
  });
  const found = (): readonly Entry[] => {
    const { text } = store.get().input;
    if (parseRecordQuery(text) !== undefined) return store.get().records;
    const offered = matchingActions(text, scopes).filter(isOffered);
    return [...contextEntries(app, text), ...offered.map(entryOf)];
  };
  let runsWhenFound = false;
  const run = () => {
    const chosen = found()[store.get().index];
    runsWhenFound = store.get().search === 'running';
    // Enter right after the last key is meant for what that key finds.
    if (runsWhenFound) return;
    app.close(dialog);
    chosen?.run();
  };
  const search = async (text: string) => {
    const query = parseRecordQuery(text);
    if (query === undefined) return store.set({ search: 'none', records: [] });
    const isCurrent = () => store.get().input.text === text;
    store.set({ search: 'running' });
    await wait(typingPauseMs);
    if (!isCurrent()) return;
    try {
      const records = await findRecords(app, query);
      if (!isCurrent()) return;
      const entries = records.map((each) => ({
        name: each.name,
        keys: '',
        run: () => showRecord(app, each),
      }));
      store.set({ search: 'none', records: entries });
      if (runsWhenFound) run();
    } catch (error) {
      if (isCurrent()) store.set({ search: app.explain(error), records: [] });
    }
  };
  const put = (input: TextInput) => {
    const before = store.get().input.text;
    store.set({ input, index: 0 });
    runsWhenFound = false;
    if (input.text !== before) void search(input.text);
  };
  const dialog: Dialog = {
    title: () => 'Commands',
    chain: () => 'palette',
    rows: () => maxRows + 1,
    write: (text) => put(insert(store.get().input, text, 'one line')),
    perform(action) {
      const { input, index } = store.get();
      if (action === 'everywhere.back') return app.close(dialog);
      if (action === 'palette.run') return run();
      if (action === 'palette.down') store.set({ index: Math.min(index + 1, found().length - 1) });
      else if (action === 'palette.up') store.set({ index: Math.max(0, index - 1) });
      else if (action.startsWith('text.')) put(edit(input, action.slice(5) as Edit));
    },
    View: ({ width, height }: Size) => {
      const { input, index, search: progress } = useStore(store);
      const all = found();
      const room = height - 1;
      const top = Math.max(0, Math.min(index - Math.floor(room / 2), all.length - room));
      const visible = all.slice(top, top + room);
      const keyCells = Math.min(maxKeyCells, Math.max(...visible.map(({ keys }) => cellsOf(keys))));
      const nameCells = Math.min(maxNameCells, width - keyCells - 8);
      const lines = visible.map(({ name, keys }, offset) => {
        const line = `${top + offset === index ? '❯' : ' '} ${fit(printable(name), nameCells)} ${fit(keys, keyCells)}`;
        return `  ${top + offset === index ? theme.selected(line) : line}`;
      });
      const sentence = nothingFound(progress, parseRecordQuery(input.text) !== undefined);
      const none = all.length === 0 ? [theme.quiet(`    ${cut(sentence, width - 6)}`)] : [];
      const field =
        input.text === ''
          ? showNote('command, or issue 7, conv ada, admin, setting …', width - 6)
          : showLine(input, width - 6);
      const onMouse = ({ kind, y, lines: turned }: MouseEvent) => {
        if (kind === 'wheel')
          return store.set({ index: Math.max(0, Math.min(index + Math.sign(turned), all.length - 1)) });
        if (y === 0 || top + y > all.length) return;
        store.set({ index: top + y - 1 });
        run();
      };
      return (
        <Region onMouse={onMouse} width={width} height={height}>
          <Lines lines={[`  : ${field}`, ...lines, ...none]} height={height} />
        </Region>
      );
    },
  };
  return dialog;
}
