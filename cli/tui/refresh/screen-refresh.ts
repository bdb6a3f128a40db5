import { shareNext } from '../../../src/shared/waiting.ts';
import type { App } from '../state/app.ts';
import { anyEventType, type EventNotice, type ScreenId, screenIds } from '../state/screen-types.ts';

/** Keeps the screens current: the one that is shown at once, every other one when the user goes to it. */
export interface ScreenRefresh {
  all(): void;
  /** Refreshes a screen that the user goes to, if something may have changed since. */
  entered(id: ScreenId): void;
  /** Refreshes the screens that the events affect. */
  affectedBy(events: readonly EventNotice[]): void;
}

export function createScreenRefresh(app: Pick<App, 'store' | 'screens'>): ScreenRefresh {
  const stale = new Set<ScreenId>(screenIds);
  const isShown = (id: ScreenId) => id === app.store.get().screen;
  const refreshOrMark = async (id: ScreenId) => {
    if (isShown(id)) await app.screens[id].refresh();
    else stale.add(id);
  };
  // One at a time for each screen, so that a slow service does not receive more calls than a fast one. The user may have left
  // the screen before it starts.
  const refreshes = new Map(screenIds.map((id) => [id, shareNext(() => refreshOrMark(id))]));
  const refresh = (id: ScreenId) => {
    if (isShown(id)) void refreshes.get(id)?.();
    else stale.add(id);
  };
  return {
    all: () => screenIds.forEach(refresh),
    entered(id) {
      if (stale.delete(id)) refresh(id);
    },
    affectedBy(events) {
      for (const id of screenIds) {
        const isAffected = events.some(
          ({ type }) => type === anyEventType || app.screens[id].isAffectedBy(type),
        );
        if (isAffected) refresh(id);
      }
    },
  };
}
