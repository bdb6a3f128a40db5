import { apart, cellsOf, cut, pad } from '../../output/cells.ts';
import { printable } from '../../output/text.ts';
import type { App, AppState } from '../state/app.ts';
import { screenIds } from '../state/screen-types.ts';
import { badge, theme } from '../theme.ts';

const maxTargetCells = 30;

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
    const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1000));
    const retry = seconds > 0 ? `Retrying in ${seconds} s.` : 'Retrying now.';
    const text = ` ✗ Connection lost: ${printable(connection.reason)} ${retry} Your text is kept.`;
    const where = forms.at(-1) === '' ? '' : ` ${forms.at(-1)} `;
    return theme.alarm(pad(cut(text, cells - cellsOf(where)), cells - cellsOf(where)) + where);
  }
  const label = forms.find((form) => cellsOf(form) < cells - 8) ?? '';
  const line = label === '' ? '─'.repeat(cells) : `${'─'.repeat(cells - cellsOf(label) - 4)} ${label} ──`;
  return app.targetColour === undefined ? theme.quiet(line) : badge(app.targetColour)(line);
}

function screenNames(app: App, { screen }: AppState, cells: number): string {
  const offered = app.offeredScreens();
  const full = offered.reduce((sum, id) => sum + app.screens[id].title.length + 4, 1);
  // If there is no room for all titles, the other screens show only their numbers.
  const isShort = full > cells;
  const parts = offered.map((id) => {
    const { title } = app.screens[id];
    const [key = String(screenIds.indexOf(id) + 1)] = app.keymap.keysOf(`global.${id}`);
    if (id === screen) return theme.selected(`▸${key} ${title} `);
    return isShort ? ` ${theme.quiet(key)} ` : ` ${theme.quiet(key)} ${title} `;
  });
  return ` ${parts.join('')}`;
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
