import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { EventOrGap } from '../../../../src/contract/events/envelope.ts';
import { sharedName } from '../data/client.ts';
import { isWanted } from './consent.ts';
import type { Notice } from './notice.ts';

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
export async function announce(event: EventOrGap): Promise<void> {
  if (event.type === 'gap' || !document.hidden || !isWanted()) return;
  // What follows may take long. The person has seen what happened while they looked, even if they leave meanwhile.
  if (await isSomeTabVisible()) return;
  const { noticeOf } = await import('./notice-of.ts');
  const lock = `${sharedName('event')} ${event.id}`;
  await navigator.locks.request(lock, { ifAvailable: true }, async (isMine) => {
    if (isMine === null) return;
    const notice = await noticeOf(event).catch(() => undefined);
    if (notice === undefined) return;
    show(notice);
    await new Promise((resolve) => setTimeout(resolve, keepMs));
  });
}

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
