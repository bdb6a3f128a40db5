import { Box, useInput, usePaste, useWindowSize } from 'ink';
import { Component, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { apart, cellsOf, cut, pad } from '../../output/cells.ts';
import { printable } from '../../output/text.ts';
import type { App, AppState } from '../app.ts';
import { type Action, actions, chains, scopeOf } from '../keys/actions.ts';
import { keyName } from '../keys/keymap.ts';
import { strokesOf } from '../keys/strokes.ts';
import { screenIds } from '../screen-types.ts';
import { useStore } from '../store.ts';
import { theme } from '../theme.ts';
import { Line } from './lines.tsx';

/** The least that the screens are made for; below it the dashboard says so and waits. */
const leastColumns = 40;
const leastRows = 12;
/** What a dialog leaves of the screen above it. */
const leastBody = 6;

/** The whole dashboard, one row less than the terminal has: a frame as tall as that would flicker. */
export function Frame({ app }: { readonly app: App }): ReactNode {
  const { columns, rows } = useWindowSize();
  const state = useStore(app.store);
  useLayer(app, columns);
  useRedraw(app, columns, rows);
  useInput((input, key) => {
    for (const stroke of strokesOf(input, key)) app.press(stroke);
  });
  usePaste((text) => app.paste(text));

  const height = rows - 1;
  if (columns < leastColumns || rows < leastRows) {
    return <Line line={`${columns}×${rows} is too small: ${leastColumns}×${leastRows} at least.`} />;
  }
  const screen = app.screens[state.screen];
  const dialog = state.dialogs.at(-1);
  const room = height - 3;
  const wanted = dialog === undefined ? 0 : dialog.rows(columns) + 1;
  const panel = wanted === Number.POSITIVE_INFINITY ? room : Math.min(wanted, room - leastBody);
  const body = room - panel;
  return (
    <Box flexDirection="column" height={height} width={columns}>
      <Line line={tabs(app, state, columns)} />
      <Line line={banner(state, columns)} />
      {body > 0 && <screen.View key={screen.id} width={columns} height={body} />}
      {dialog !== undefined && (
        <>
          <Line line={titleRule(dialog.title(), columns)} />
          <dialog.View width={columns} height={panel - 1} />
        </>
      )}
      <Line line={footer(app, state, columns)} />
    </Box>
  );
}

const never = () => () => {};

/** Draws the frame anew when the layer that keys go to has other keys, another title or other rows than it had. */
function useLayer(app: App, columns: number): void {
  const layer = app.layer();
  useSyncExternalStore(layer.subscribe ?? never, () => {
    const dialog = app.store.get().dialogs.at(-1);
    return `${layer.chain()} ${dialog?.rows(columns)} ${dialog?.title()}`;
  });
}

/** Draws everything anew in another size: what a terminal makes of the frame that it had is its own affair. */
function useRedraw(app: App, columns: number, rows: number): void {
  const size = `${columns}×${rows}`;
  const drawn = useRef(size);
  useEffect(() => {
    if (drawn.current === size) return;
    drawn.current = size;
    app.redraw();
  }, [app, size]);
}

function tabs(app: App, { screen }: AppState, cells: number): string {
  const right = theme.quiet(`${cut(app.where, 30)} `);
  const titles = screenIds.map((id) => app.screens[id].title);
  const full = titles.reduce((sum, title) => sum + title.length + 4, 1);
  // Where not all names have room, the others keep their numbers.
  const isShort = full > cells;
  const parts = titles.map((title, at) => {
    const [key = String(at + 1)] = app.keymap.keysOf(`global.${screenIds[at] ?? 'issues'}`);
    if (screenIds[at] === screen) return theme.selected(`▸${key} ${title} `);
    return isShort ? ` ${theme.quiet(key)} ` : ` ${theme.quiet(key)} ${title} `;
  });
  return apart(` ${parts.join('')}`, right, cells);
}

function banner({ connection, now }: AppState, cells: number): string {
  if (connection.state === 'up') return theme.quiet('─'.repeat(cells));
  const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1000));
  const text = ` ✗ Connection lost: ${printable(connection.reason)} Trying again${seconds > 0 ? ` in ${seconds} s` : ''}. What you wrote stays.`;
  return theme.alarm(pad(cut(text, cells), cells));
}

/** A line with a title in it, in which the control characters of whoever wrote it are shown. */
export function titleRule(title: string, cells: number): string {
  const shown = cut(printable(title), cells - 8);
  return `${theme.quiet('──')} ${theme.title(shown)} ${theme.quiet('─'.repeat(Math.max(0, cells - cellsOf(shown) - 4)))}`;
}

function footer(app: App, { message, connection, dialogs }: AppState, cells: number): string {
  const link =
    connection.state === 'lost'
      ? theme.bad('✗ lost ')
      : connection.live
        ? theme.good('● live ')
        : theme.quiet('○ every 5 s ');
  const live = app.readOnly ? `${theme.warning('read-only')} ${link}` : link;
  if (message !== null) {
    const text = cut(
      `${{ done: '✓', failed: '✗', note: '·' }[message.tone]} ${printable(message.text)}`,
      cells - cellsOf(live) - 3,
    );
    const paint = { done: theme.good, failed: theme.bad, note: theme.quiet }[message.tone];
    return apart(` ${paint(text)}`, live, cells);
  }
  const back = dialogs.length > 0 ? [`${theme.strong('Esc')} ${theme.quiet('back')}`] : [];
  return apart(` ${hints(app, back, cells - cellsOf(live) - 2)}`, live, cells);
}

/** As many hints as fit, those of the nearest scope first; the way to the others comes before them all. */
function hints(app: App, first: readonly string[], cells: number): string {
  const chain = app.layer().chain();
  const scopes: readonly string[] = chains[chain];
  const hinted = actions
    .filter((action) => 'hint' in action && scopes.includes(scopeOf(action.id)))
    .filter((action) => !(app.readOnly && 'changes' in action))
    .sort((one, other) => scopes.indexOf(scopeOf(one.id)) - scopes.indexOf(scopeOf(other.id)))
    .map((action) => ({
      id: action.id,
      text: `${theme.strong(keyName(app.keymap.keysOf(action.id)[0] ?? '–'))} ${theme.quiet(hintOf(app, action))}`,
    }));
  const always = hinted.filter(({ id }) => id === 'global.help').map(({ text }) => text);
  const shown: string[] = [...first];
  const used = (texts: readonly string[]) => texts.reduce((sum, text) => sum + cellsOf(text) + 2, 0);
  for (const { id, text } of hinted) {
    if (id === 'global.help') continue;
    if (used([...shown, text, ...always]) > cells) break;
    shown.push(text);
  }
  return [...shown, ...always].join('  ');
}

function hintOf(app: App, action: Action): string {
  const isSending = action.id === 'form.submit' || action.id === 'editor.submit';
  return (isSending ? app.store.get().dialogs.at(-1)?.verb : undefined) ?? action.hint ?? '';
}

/** What a drawing that fails does: it ends the dashboard, whose terminal is then restored, and tells why. */
export class Boundary extends Component<{
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: true } {
    return { failed: true };
  }
  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }
  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
