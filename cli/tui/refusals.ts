import type { ActionId } from './keys/actions.ts';
import { actionOf } from './keys/keymap.ts';
import { roleRefusal } from './keys/permissions.ts';
import type { Identity } from './state/identity.ts';
import { type ScreenId, screenIds } from './state/screen-types.ts';

const readOnlyRefusal = 'This dashboard is read-only. Start it without --read-only to make changes.';
const readOnlyTokenRefusal =
  'Your token is only for reading. Sign in again with `backoffice login` to make changes.';

/** What the dashboard refuses to do, for its options, its token and its role. */
export interface Refusals {
  /** Returns why every change is refused, in a sentence; undefined if changes are not. */
  ofChanges(): string | undefined;
  /** Returns why an action is not offered, in a sentence; undefined if it is. */
  of(action: ActionId): string | undefined;
  /** Returns the screens that the user may see. */
  offeredScreens(): readonly ScreenId[];
}

/** @param identity - returns who the dashboard acts as; null before the server has told */
export function createRefusals(readOnly: boolean, identity: () => Identity | null): Refusals {
  const refusals: Refusals = {
    ofChanges() {
      if (readOnly) return readOnlyRefusal;
      return identity()?.isReadOnly === true ? readOnlyTokenRefusal : undefined;
    },
    of(action) {
      const refusal = actionOf(action).changes === true ? refusals.ofChanges() : undefined;
      const role = identity()?.role;
      return refusal ?? (role === undefined ? undefined : roleRefusal(action, role));
    },
    offeredScreens: () => screenIds.filter((id) => refusals.of(`global.${id}`) === undefined),
  };
  return refusals;
}
