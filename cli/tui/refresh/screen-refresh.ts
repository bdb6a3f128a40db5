import { coalesce } from '../../../src/shared/waiting.ts';
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
  const refresh = coalesce(async (id: ScreenId) => {
    // The user may have left the screen before the refresh starts.
    if (isShown(id)) await app.screens[id].refresh();
    else stale.add(id);
  });
  const refreshOrMark = (id: ScreenId) => {
    if (isShown(id)) refresh(id);
    else stale.add(id);
  };
  return {
    all: () => screenIds.forEach(refreshOrMark),
    entered(id) {
      if (stale.delete(id)) refresh(id);
    },
    affectedBy(events) {
      for (const id of screenIds) {
        const isAffected = events.some(
          ({ type }) => type === anyEventType || app.screens[id].isAffectedBy(type),
        );
        if (isAffected) refreshOrMark(id);
      }
    },
  };
}
