import { cellsOf, cut } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';
import { theme } from '../theme.ts';

/** Returns a horizontal line with a title in it. Control characters of the title are made visible. */
export function titleRule(title: string, cells: number): string {
  const shown = cut(printable(title), cells - 8);
  return `${theme.quiet('──')} ${theme.title(shown)} ${theme.quiet('─'.repeat(Math.max(0, cells - cellsOf(shown) - 4)))}`;
}
