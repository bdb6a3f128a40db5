import { apart, cellsOf, cut, wrap } from '../../terminal/cells.ts';
import { type Action, type ActionId, actions } from '../keys/actions.ts';
import { firstKeyOf, keyName } from '../keys/keymap.ts';
import { chains, scopeOf } from '../keys/scopes.ts';
import type { App, AppState, StatusMessage } from '../state/app.ts';
import { currentLook, theme } from '../theme.ts';

/** More of a message is cut. */
const maxMessageLines = 4;

const signs = { done: '✓', failed: '✗', note: '·' } as const;

/** Returns the lines of a message. */
function messageLines({ text, tone }: StatusMessage, cells: number): readonly string[] {
  const paint = { done: theme.good, failed: theme.bad, note: theme.quiet }[tone];
  const lines = wrap(text.replaceAll(/\s+/g, ' '), cells - 4);
  const [last = '', ...more] = lines.slice(maxMessageLines - 1);
  const shown = [
    ...lines.slice(0, maxMessageLines - 1),
    ...(last === '' ? [] : [cut([last, ...more].join(' '), cells - 4)]),
  ];
  return shown.map((line, at) => ` ${paint(`${at === 0 ? signs[tone] : ' '} ${line}`)}`);
}

/** Returns the lines that a message needs below the last line, if it does not fit there. */
export function linesBelow(state: AppState, cells: number): readonly string[] {
  const { message, strokes, isOpening } = state;
  if (message === null || strokes !== '' || isOpening) return [];
  return messageLines(message, cells).slice(1);
}

/**
 * Returns the last line: a message or key hints, then the state of the connection.
 *
 * @param position - where the cursor is, shown if there is no message
 */
export function footer(
  app: App,
  { message, connection, dialogs, strokes, isOpening }: AppState,
  cells: number,
  position = '',
): string {
  const link =
    connection.state === 'lost'
      ? theme.bad('✗ lost ')
      : connection.live
        ? theme.good('● live ')
        : theme.quiet('○ every 5 s ');
  const right = app.readOnly ? `${theme.warning('read-only')} ${link}` : link;
  if (strokes !== '') return apart(` ${nextStrokes(app, strokes, cells - cellsOf(right) - 2)}`, right, cells);
  if (isOpening) return apart(` ${theme.quiet('· Loading… Esc cancels')}`, right, cells);
  if (message !== null) {
    const [line = '', ...others] = messageLines(message, cells);
    // A long message takes the whole line: the banner tells of a lost connection too.
    const isShort = others.length === 0 && cellsOf(line) <= cells - cellsOf(right) - 3;
    return apart(line, isShort ? right : '', cells);
  }
  const back = dialogs.length > 0 ? [`${theme.strong('Esc')} ${theme.quiet('back')}`] : [];
  const place = position === '' ? right : `${theme.quiet(position)}  ${right}`;
  return apart(` ${knownHints(app, back, cells - cellsOf(place) - 2)}`, place, cells);
}

interface DrawnHints {
  readonly app: App;
  readonly look: object;
  readonly key: string;
  readonly text: string;
}

let drawn: DrawnHints | undefined;

/** Returns the hints that were drawn last if nothing has changed that decides about them, as between most keys. */
function knownHints(app: App, first: readonly string[], cells: number): string {
  const { identity, dialogs } = app.store.get();
  const dialog = dialogs.at(-1);
  const facts = [
    app.layer().chain(),
    cells,
    first.length,
    app.readOnly,
    identity?.role,
    app.rowRefusal(),
    dialog?.verb,
  ];
  const key = [...facts, ...(dialog?.unhinted ?? [])].join(' ');
  const look = currentLook();
  if (drawn?.app !== app || drawn.look !== look || drawn.key !== key)
    drawn = { app, look, key, text: hints(app, first, cells) };
  return drawn.text;
}

/** Returns as many hints as fit, those of the most specific scope first. The hint for the help always fits. */
function hints(app: App, first: readonly string[], cells: number): string {
  const scopes: readonly string[] = chains[app.layer().chain()];
  const hinted = actions
    .filter((action) => 'hint' in action && scopes.includes(scopeOf(action.id)))
    .filter(({ id }) => app.refusalOf(id) === undefined)
    .filter(({ id }) => !app.store.get().dialogs.at(-1)?.unhinted?.includes(id))
    .sort((one, other) => scopes.indexOf(scopeOf(one.id)) - scopes.indexOf(scopeOf(other.id)))
    .map((action) => ({
      id: action.id,
      text: `${theme.strong(firstKeyOf(app.keymap, action.id))} ${theme.quiet(hintOf(app, action))}`,
    }));
  const help = hinted.filter(({ id }) => id === 'global.help').map(({ text }) => text);
  const shown: string[] = [...first];
  const used = (texts: readonly string[]) => texts.reduce((sum, text) => sum + cellsOf(text) + 2, 0);
  for (const { id, text } of hinted) {
    if (id === 'global.help') continue;
    if (used([...shown, text, ...help]) > cells) break;
    shown.push(text);
  }
  return [...shown, ...help].join('  ');
}

/** Returns the strokes of a key so far, and those that can follow. */
function nextStrokes(app: App, strokes: string, cells: number): string {
  const scopes: readonly string[] = chains[app.layer().chain()];
  const all: readonly Action[] = actions.filter(({ id }) => scopes.includes(scopeOf(id)));
  const next = all.flatMap(({ id, next, title }) => {
    const key = app.keymap.keysOf(id as ActionId).find((each) => each.startsWith(`${strokes} `));
    if (key === undefined) return [];
    return [`${theme.strong(keyName(key.slice(strokes.length + 1)))} ${theme.quiet(next ?? title)}`];
  });
  let shown = `${theme.strong(keyName(strokes))} …`;
  for (const text of next) if (cellsOf(shown) + cellsOf(text) + 2 <= cells) shown += `  ${text}`;
  return shown;
}

function hintOf(app: App, action: Action): string {
  const isSubmit = action.id === 'form.submit' || action.id === 'editor.submit';
  return (isSubmit ? app.store.get().dialogs.at(-1)?.verb : undefined) ?? action.hint ?? '';
}
