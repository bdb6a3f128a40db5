import { apart, cellsOf, cut, pad } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';
import type { Connection } from '../refresh/connection.ts';
import type { App, AppState } from '../state/app.ts';
import { type ScreenId, screenIds } from '../state/screen-types.ts';
import { badge, theme } from '../theme.ts';

const maxTargetCells = 30;
/** Less of the reason why a connection is lost says nothing. */
const minReasonCells = 24;
/** What a lost connection takes at least, with the time of the next retry. */
const minLostCells = 26;

/** Returns the line that names the screens and, if there is room, who acts and where. */
export function tabs(app: App, state: AppState, cells: number): string {
  const left = screenNames(app, state, cells);
  return apart(left, isRoomy(app, state, cells) ? theme.quiet(`${whoAndWhere(app, state)[0]} `) : '', cells);
}

/**
 * Returns a horizontal line, or why the connection is lost. It says who acts and where if the first line has no room for it,
 * and has the colour of the context.
 */
export function banner(app: App, state: AppState, cells: number): string {
  const { connection, now } = state;
  const isLabelled = app.target !== 'local' && !isRoomy(app, state, cells);
  const forms = isLabelled ? whoAndWhere(app, state) : [''];
  if (connection.state === 'lost') {
    const place = forms.at(-1) === '' ? '' : ` ${forms.at(-1)} `;
    const where = cells - cellsOf(place) < minLostCells ? '' : place;
    const room = cells - cellsOf(where);
    return theme.alarm(pad(cut(lostText(connection, now, room), room), room) + where);
  }
  const label = forms.find((form) => cellsOf(form) < cells - 8) ?? '';
  const line = label === '' ? '─'.repeat(cells) : `${'─'.repeat(cells - cellsOf(label) - 4)} ${label} ──`;
  return app.targetColour === undefined ? theme.quiet(line) : badge(app.targetColour)(line);
}

/** Returns what a lost connection means, as much of it as there is room for. */
function lostText(
  { what = 'Connection lost', reason, retryAt }: Connection,
  now: number,
  cells: number,
): string {
  const seconds = Math.max(0, Math.ceil((retryAt - now) / 1000));
  const retry = seconds > 0 ? `Retrying in ${seconds} s.` : 'Retrying now.';
  const [sign, why] = [` ✗ ${what}`, printable(reason)];
  const room = cells - cellsOf(`${sign}:  ${retry}`);
  const forms = [
    `${sign}: ${why} ${retry} Your text is kept.`,
    `${sign}: ${why} ${retry}`,
    ...(room < minReasonCells ? [] : [`${sign}: ${cut(why, room)} ${retry}`]),
    `${sign}. ${retry}`,
  ];
  return forms.find((form) => cellsOf(form) <= cells) ?? ` ✗ Lost. ${retry}`;
}

interface Tab {
  readonly key: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

/** Returns the screen whose name is at the cell of the first line, if one is. */
export function screenAt(app: App, state: AppState, cells: number, x: number): ScreenId | undefined {
  let end = 0;
  const names = tabTexts(app, state, cells);
  return app.offeredScreens().find((_, index) => {
    end += cellsOf(names[index] ?? '');
    return x < end;
  });
}

function screenNames(app: App, state: AppState, cells: number): string {
  return tabTexts(app, state, cells).join('');
}

/** Returns the names of the screens that the role may see, as far as there is room for them. */
function tabTexts(app: App, { screen }: AppState, cells: number): readonly string[] {
  const all = app.offeredScreens().map((id) => ({
    key: app.keymap.keysOf(`global.${id}`)[0] ?? String(screenIds.indexOf(id)),
    title: app.screens[id].title,
    isCurrent: id === screen,
  }));
  const wide = tabsOf(all, ' ');
  return cellsOf(wide.join('')) <= cells ? wide : tabsOf(withFewerTitles(all, cells), '');
}

function tabsOf(all: readonly Tab[], gap: string): readonly string[] {
  const words = ({ key, title }: Tab) => (title === '' ? key : `${key} ${title}`);
  return all.map((tab) => {
    if (tab.isCurrent) return theme.selected(`▸${words(tab)}${gap}`);
    return ` ${theme.quiet(tab.key)}${words(tab).slice(tab.key.length)}${gap}`;
  });
}

/** Leaves out the titles of the screens that are the furthest from the current one, until the others fit. */
function withFewerTitles(all: readonly Tab[], cells: number): readonly Tab[] {
  const current = all.findIndex(({ isCurrent }) => isCurrent);
  const farthestFirst = all
    .map((_, index) => index)
    .filter((index) => index !== current)
    .sort((one, other) => Math.abs(other - current) - Math.abs(one - current));
  const shown = [...all];
  for (const index of farthestFirst) {
    if (cellsOf(tabsOf(shown, '').join('')) <= cells) break;
    shown[index] = { ...(shown[index] as Tab), title: '' };
  }
  return shown;
}

/** Reports whether the first line has room for who acts and where. */
function isRoomy(app: App, state: AppState, cells: number): boolean {
  const [label = ''] = whoAndWhere(app, state);
  return cellsOf(screenNames(app, state, cells)) + cellsOf(label) + 2 <= cells;
}

/** Returns who acts and where, in ever shorter forms. The last one is only where. */
function whoAndWhere({ target }: App, { identity }: AppState): readonly string[] {
  const where = printable(cut(target, maxTargetCells));
  if (target === 'local' || identity === null) return [where];
  const { email, role } = identity;
  if (email === null) return [`token · ${role} · ${where}`, `${role} · ${where}`, where];
  const name = printable(email);
  const short = `${cut(name.replace(/@.*$/, ''), 16)}@…`;
  return [`${name} · ${role} · ${where}`, `${short} · ${role} · ${where}`, `${short} · ${where}`, where];
}
