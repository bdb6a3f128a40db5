import type { Dashboard } from '../../support/run/dashboard.tsx';

/** Presses keys, whose names have spaces between them. Resolves with the frame that then shows the pattern. */
export function after(dashboard: Dashboard, keys: string, pattern: RegExp | string): Promise<string> {
  dashboard.press(...keys.split(' '));
  return dashboard.shows(pattern);
}

/** Types a text, then does as `after`. */
export function typing(
  dashboard: Dashboard,
  text: string,
  keys: string,
  pattern: RegExp | string,
): Promise<string> {
  dashboard.write(text);
  return after(dashboard, keys, pattern);
}
