import type { App } from '../../state/app.ts';
import type { ScreenId } from '../../state/screen-types.ts';

/** Where something of the overview leads. */
export interface Target {
  readonly screen: ScreenId;
  /** What the screen then shows. */
  readonly filter?: string;
}

export function goToTarget(app: App, { screen, filter }: Target): void {
  app.goTo(screen);
  if (filter !== undefined) app.screens[screen].find?.(filter);
}
