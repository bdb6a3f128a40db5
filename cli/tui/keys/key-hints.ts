import type { ActionId } from './actions.ts';
import { firstKeyOf, type Keymap } from './keymap.ts';

/** What is said where nothing has come in yet. */
export const connectHint = '`backoffice connect` says how to connect your website.';

/** Returns hints such as `n reports an issue.`, without those for actions that are refused. */
export function keyHints(
  { keymap, refusalOf }: { readonly keymap: Keymap; refusalOf(id: ActionId): string | undefined },
  ...hints: readonly (readonly [id: ActionId, effect: string])[]
): string[] {
  return hints
    .filter(([id]) => refusalOf(id) === undefined)
    .map(([id, effect]) => `${firstKeyOf(keymap, id)} ${effect}`);
}
