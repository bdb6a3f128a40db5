import type { KeyboardEvent } from 'react';
import { pressedKey } from '../../../app/commands/pressed-key.ts';

interface GridActions {
  /** The row that the keys act on. */
  readonly active: number;
  readonly count: number;
  /** How many rows a page has. */
  readonly pageSize: () => number;
  readonly moveTo: (index: number) => void;
  readonly toggle: (index: number, isRange: boolean) => void;
  /** Undefined in a table without selection. */
  readonly selectAll: (() => void) | undefined;
  readonly open: (index: number) => void;
}

/** Does what a key says in a table. Other keys, those of the browser, and those of a button within are left alone. */
export function pressGridKey(event: KeyboardEvent, actions: GridActions): void {
  const { active, count, pageSize, moveTo, toggle, selectAll, open } = actions;
  const key = pressedKey(event);
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.altKey || (isCommand && (key !== 'a' || selectAll === undefined))) return;
  if ((event.target as Element).closest('button, a, select, textarea') !== null) return;
  if (isCommand) selectAll?.();
  else if (key === 'ArrowDown' || key === 'j') moveTo(active + 1);
  else if (key === 'ArrowUp' || key === 'k') moveTo(active - 1);
  else if (key === 'PageDown') moveTo(active + pageSize());
  else if (key === 'PageUp') moveTo(active - pageSize());
  else if (key === 'Home') moveTo(0);
  else if (key === 'End') moveTo(count - 1);
  else if (key === ' ' || key.toLowerCase() === 'x') toggle(active, event.shiftKey);
  else if (key === 'Enter') open(active);
  else return;
  event.preventDefault();
}
