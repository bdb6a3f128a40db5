import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { signInPath } from '../../../../src/contract/pages.ts';
import { tellError } from '../../parts/tell.tsx';
import { basePath, client, sharedName } from '../data/client.ts';
import { queryClient } from '../data/query-client.ts';
import { type Session, sessionQuery, useSession } from './session.ts';

/** How long before its end the end of a session is announced. */
const noticeMs = 120_000;
/** A session that lives for minutes only is announced for a part of that. */
const noticePart = 0.25;
/** How often the service is asked meanwhile: another tab may have prolonged the session. */
const askEveryMs = 10_000;
const maxTimerMs = 2 ** 31 - 1;

/** The tabs of this browser, which have the same session. */
const tabs = new BroadcastChannel(sharedName('session'));

/**
 * Asks the service when the session ends, and tells the other tabs. That also prolongs the session if a person is at this
 * page. A session that has ended leads to the sign-in.
 */
export async function askForSession(): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
  if (session === null) return;
  if (before && before.admin.id !== session.admin.id) location.reload();
  tabs.postMessage(session);
}

/** Asks, and waits for the next time if the service cannot be reached. */
export const askAgain = () => askForSession().catch(() => undefined);

/** A session that is about to end. */
export interface EndingSession {
  readonly at: number;
  /** Whether it ends in any case. Otherwise it ends because it is not used. */
  readonly isFinal: boolean;
}

/** Watches the session. Returns it when it is about to end. */
export function useEndingSession(): EndingSession | null {
  const session = useSession();
  const { idleAt, finalAt } = session.ends;
  const at = Math.min(idleAt, finalAt);
  const [lastsMs] = useState(() => at - Date.now());
  const noticeAt = at - Math.min(noticeMs, lastsMs * noticePart);
  const [now, setNow] = useState(Date.now);
  const isNear = noticeAt <= now;

  useEffect(() => {
    // A person who is there prolongs the session by this, and sees no notice.
    const ask = () => void askAgain().then(() => setNow(Date.now()));
    const left = (isNear ? at : noticeAt) - Date.now();
    const pauseMs = isNear && (left > askEveryMs || left <= 0) ? askEveryMs : Math.min(left, maxTimerMs);
    const timer = setTimeout(ask, pauseMs);
    return () => clearTimeout(timer);
  }, [at, noticeAt, isNear, now]);

  // Timers stand still while a computer sleeps.
  useWindowEvent('focus', askAgain);
  useEffect(() => {
    const receive = ({ data }: MessageEvent<Session>) => {
      const before = queryClient.getQueryData(sessionQuery.queryKey);
      // Another admin has signed in: what one does here next would be theirs.
      if (before && before.admin.id !== data.admin.id) location.reload();
      else if (before) queryClient.setQueryData(sessionQuery.queryKey, data);
    };
    tabs.addEventListener('message', receive);
    // The tabs that were open before may be of another admin.
    tabs.postMessage(session);
    return () => tabs.removeEventListener('message', receive);
  }, []);

  return isNear ? { at, isFinal: finalAt <= idleAt } : null;
}

/** Ends the session and loads the page again, which forgets all that it knows. */
export async function signOut(): Promise<void> {
  try {
    await client.call('session.delete', {});
  } catch (error) {
    tellError(error as Error);
    return;
  }
  location.assign(basePath + signInPath);
}
