import { createStoredWord } from '../kept/stored-word.ts';
import { createStore } from '../store.ts';

/** What the person of this browser has chosen. Nothing is shown before they ask for it. */
const chosen = createStoredWord('backoffice-desktop-notices', ['on', 'off'], 'off');

/** `unsupported`: the page has no HTTPS, or the browser has no notifications. `blocked`: the browser refuses them. */
export type NoticeState = 'on' | 'off' | 'blocked' | 'unsupported';

const permission = createStore<NotificationPermission | undefined>(permissionOfBrowser());

// Browsers ask in a place of their own too, and tell nobody. Going there and back gives the page the focus again.
window.addEventListener('focus', () => permission.set(permissionOfBrowser()));

/** Returns whether desktop notifications are shown. */
export function useNoticeState(): NoticeState {
  return stateOf(permission.use(), chosen.use());
}

/** Reports whether desktop notifications are shown. */
export const isWanted = (): boolean => stateOf(permissionOfBrowser(), chosen.get()) === 'on';

/** Turns them on or off. Browsers let a page ask for the permission only when a person has pressed something. */
export async function want(isOn: boolean): Promise<NoticeState> {
  if (isOn) await Notification.requestPermission();
  permission.set(permissionOfBrowser());
  chosen.set(isOn && permission.get() === 'granted' ? 'on' : 'off');
  return stateOf(permission.get(), chosen.get());
}

function permissionOfBrowser(): NotificationPermission | undefined {
  // Both need a secure page. Without locks, several tabs would show a notice each.
  return 'Notification' in window && 'locks' in navigator ? Notification.permission : undefined;
}

function stateOf(allowed: NotificationPermission | undefined, choice: 'on' | 'off'): NoticeState {
  if (allowed === undefined) return 'unsupported';
  if (allowed === 'denied') return 'blocked';
  return allowed === 'granted' ? choice : 'off';
}
