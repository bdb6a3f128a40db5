import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Event } from '../../../src/contract/events/envelope.ts';
import { client, sharedName } from './data/client.ts';
import { receivers } from './data/reload.ts';
import { createStoredWord } from './kept.ts';
import type { Notice } from './notice.ts';
import { createStore } from './store.ts';

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

/** Held by each tab that is visible. As long as there is one, the person sees what happens. */
const visibleLock = sharedName('visible');
/** For how long a tab keeps an event to itself: others may receive it later. */
const keepMs = 60_000;

let openLink: ((link: Notice['link']) => void) | undefined;

/** Tells the other tabs whether this one is visible, and leads to what a notice is about. The shell calls it once. */
export function useDesktopNotices(): void {
  const navigate = useNavigate();
  useEffect(() => {
    openLink = (link) => void navigate(link);
  }, [navigate]);
  useEffect(() => {
    let release: (() => void) | undefined;
    function onChange(): void {
      release?.();
      release = document.hidden ? undefined : hold(visibleLock);
    }
    onChange();
    document.addEventListener('visibilitychange', onChange);
    return () => {
      document.removeEventListener('visibilitychange', onChange);
      release?.();
    };
  }, []);
}

/** Holds a lock together with the other tabs. Returns a function that releases it. */
function hold(name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks?.request(name, { mode: 'shared' }, () => promise);
  return resolve;
}

/** Shows a desktop notification of an event that calls for somebody, if it is wanted and nobody looks at the dashboard. */
async function announce(event: Event): Promise<void> {
  if (!document.hidden || stateOf(permissionOfBrowser(), chosen.get()) !== 'on') return;
  // What follows may take long. The person has seen what happened while they looked, even if they leave meanwhile.
  if (await isSomeTabVisible()) return;
  const { noticeOf } = await import('./notice.ts');
  const lock = `${sharedName('event')} ${event.id}`;
  await navigator.locks.request(lock, { ifAvailable: true }, async (isMine) => {
    if (isMine === null) return;
    const notice = await noticeOf(event, client).catch(() => null);
    if (notice === null) return;
    show(notice);
    await new Promise((resolve) => setTimeout(resolve, keepMs));
  });
}

receivers.add((event) => {
  if (event.type !== 'gap') void announce(event);
});

async function isSomeTabVisible(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === visibleLock);
}

function show({ title, body, tag, link }: Notice): void {
  const notification = new Notification(title, { body, tag });
  notification.onclick = () => {
    window.focus();
    openLink?.(link);
    notification.close();
  };
}
