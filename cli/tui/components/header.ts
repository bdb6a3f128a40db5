import { apart, cut, pad } from '../../output/cells.ts';
import { printable } from '../../output/text.ts';
import type { App, AppState } from '../state/app.ts';
import { screenIds } from '../state/screen-types.ts';
import { theme } from '../theme.ts';

/** Returns the line that names the screens and what the dashboard works on. */
export function tabs(app: App, { screen }: AppState, cells: number): string {
  const right = theme.quiet(`${cut(app.target, 30)} `);
  const titles = screenIds.map((id) => app.screens[id].title);
  const full = titles.reduce((sum, title) => sum + title.length + 4, 1);
  // If there is no room for all titles, the other screens show only their numbers.
  const isShort = full > cells;
  const parts = titles.map((title, index) => {
    const [key = String(index + 1)] = app.keymap.keysOf(`global.${screenIds[index] ?? 'issues'}`);
    if (screenIds[index] === screen) return theme.selected(`▸${key} ${title} `);
    return isShort ? ` ${theme.quiet(key)} ` : ` ${theme.quiet(key)} ${title} `;
  });
  return apart(` ${parts.join('')}`, right, cells);
}

/** Returns a horizontal line, or why the connection is lost. */
export function banner({ connection, now }: AppState, cells: number): string {
  if (connection.state === 'up') return theme.quiet('─'.repeat(cells));
  const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1000));
  const retry = seconds > 0 ? `Retrying in ${seconds} s.` : 'Retrying now.';
  const text = ` ✗ Connection lost: ${printable(connection.reason)} ${retry} Your text is kept.`;
  return theme.alarm(pad(cut(text, cells), cells));
}
