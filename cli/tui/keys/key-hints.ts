import type { ActionId } from './actions.ts';
import { actionOf, firstKeyOf, type Keymap } from './keymap.ts';

/** Returns hints such as `n reports an issue.`, without those for changes if the dashboard is read-only. */
export function keyHints(
  { keymap, readOnly }: { readonly keymap: Keymap; readonly readOnly: boolean },
  ...hints: readonly (readonly [id: ActionId, effect: string])[]
): string[] {
  return hints
    .filter(([id]) => !(readOnly && actionOf(id).changes === true))
    .map(([id, effect]) => `${firstKeyOf(keymap, id)} ${effect}`);
}
