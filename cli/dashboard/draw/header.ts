import { apart, cellsOf, cut, pad } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';
import type { App } from '../app/app.ts';
import { badge, style } from './style.ts';

const maxTargetCells = 30;

/** Returns the line that names the screens and, if there is room, who acts and where. */
export function tabs(app: App, cells: number): string {
  const names = screenNames(app, cells);
  const [label = ''] = whoAndWhere(app);
  return apart(names, style.quiet(`${label} `), cells);
}

/**
 * Returns a horizontal line, or why the connection is lost. It says who acts and where if the first line has no room for it, and
 * has the colour of the context.
 */
export function banner(app: App, cells: number): string {
  const lost = app.connection.lost();
  if (lost !== undefined) {
    const seconds = Math.max(0, Math.ceil((lost.retryAt - Date.now()) / 1000));
    const retry = seconds === 0 ? 'Retrying now.' : `Retrying in ${seconds} s.`;
    const text = ` ✗ Connection lost: ${printable(lost.reason)}`;
    return style.alarm(pad(`${cut(text, cells - retry.length - 1)} ${retry}`, cells));
  }
  const forms = whoAndWhere(app);
  const isSaid =
    app.target === 'local' || cellsOf(screenNames(app, cells)) + cellsOf(forms[0] ?? '') + 2 <= cells;
  const label = isSaid ? '' : (forms.find((form) => cellsOf(form) < cells - 8) ?? '');
  const line = label === '' ? '─'.repeat(cells) : `${'─'.repeat(cells - cellsOf(label) - 4)} ${label} ──`;
  return app.targetColour === undefined ? style.quiet(line) : badge(app.targetColour, line);
}

/** Returns the names of the screens, without those of the furthest if there is no room. */
function screenNames(app: App, cells: number): string {
  const all = app.screens();
  const chosen = all.indexOf(app.screen());
  const keys = app.common();
  const draw = (named: number) =>
    all
      .map((screen, at) => {
        const action = keys.find(({ id }) => id === `screen.${screen.id}`);
        const key = action === undefined ? '' : (app.keysOf(action)[0] ?? '');
        const name = Math.abs(at - chosen) <= named ? ` ${screen.title}` : '';
        return at === chosen
          ? style.selected(`▸${key}${name} `)
          : ` ${style.quiet(key)}${name}${name === '' ? '' : ' '}`;
      })
      .join('');
  for (let named = all.length; named > 0; named -= 1) {
    const line = draw(named);
    if (cellsOf(line) <= cells) return line;
  }
  return draw(0);
}

/** Returns who acts and where, in ever shorter forms. The last one is only where. */
function whoAndWhere(app: App): readonly string[] {
  const where = printable(cut(app.target, maxTargetCells));
  const identity = app.identity();
  if (app.target === 'local' || identity === null) return [where];
  const { email, role } = identity;
  if (email === null) return [`token · ${role} · ${where}`, `${role} · ${where}`, where];
  const short = `${cut(printable(email).replace(/@.*$/, ''), 16)}@…`;
  return [
    `${printable(email)} · ${role} · ${where}`,
    `${short} · ${role} · ${where}`,
    `${short} · ${where}`,
    where,
  ];
}
