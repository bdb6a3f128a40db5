import type { App } from '../app.ts';
import type { ActionId } from './actions.ts';
import { actionOf, firstKeyOf } from './keymap.ts';

/** What keys do, such as `n reports one.`; without those that change data where none may be changed. */
export function keyHints(
  { keymap, readOnly }: Pick<App, 'keymap' | 'readOnly'>,
  ...said: readonly (readonly [id: ActionId, does: string])[]
): string[] {
  return said
    .filter(([id]) => !(readOnly && actionOf(id).changes === true))
    .map(([id, does]) => `${firstKeyOf(keymap, id)} ${does}`);
}
