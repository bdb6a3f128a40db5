import type { ActionId } from './actions.ts';
import { actionOf, firstKeyOf, type Keymap } from './keymap.ts';

/** What keys do, such as `n reports one.`; without those that change data where none may be changed. */
export function keyHints(
  { keymap, readOnly }: { readonly keymap: Keymap; readonly readOnly: boolean },
  ...said: readonly (readonly [id: ActionId, does: string])[]
): string[] {
  return said
    .filter(([id]) => !(readOnly && actionOf(id).changes === true))
    .map(([id, does]) => `${firstKeyOf(keymap, id)} ${does}`);
}
