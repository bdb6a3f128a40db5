import { grouped } from '../../../terminal/number.ts';
import { theme } from '../../theme.ts';
import type { SelectionState } from './selection.ts';

/** Returns how many rows are selected, for the line above a list; the empty text if none is. */
export function selectionNote({ selected, isRange }: SelectionState<unknown>): string {
  const range = isRange ? ', range' : '';
  return selected.size === 0 ? '' : theme.accent(`✓ ${grouped(selected.size)} selected${range}`);
}
