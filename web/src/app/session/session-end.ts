import { useEffect, useState } from 'react';
import { signInPath } from '../../../../src/contract/pages.ts';
import { tellError } from '../../parts/tell.ts';
import { basePath, client, sharedName } from '../data/client.ts';
import { queryClient } from '../data/query-client.ts';
import { lastKnownSession, type Session, type SessionEnds, sessionQuery, useSession } from './session.ts';

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
const askAgain = () => void askForSession().catch(() => undefined);

/** A session that is about to end. */
export interface EndingSession {
  readonly at: number;
  /** Whether it ends in any case. Otherwise it ends because it is not used. */
  readonly isFinal: boolean;
}

/** Watches the session. Returns it when it is about to end. */
export function useEndingSession(): EndingSession | null {
  const { ends } = useSession();
  const at = endOf(ends);
  const [longest, setLongest] = useState(0);
  const [isNear, setIsNear] = useState(false);
  const notice = Math.min(noticeMs, longest * noticePart);

  useEffect(() => {
    setLongest((before) => Math.max(before, at - Date.now()));
  }, [at]);

  useEffect(() => {
    const left = at - notice - Date.now();
    setIsNear(left <= 0);
    if (left <= 0) return;
    // A person who is there prolongs the session by this, and sees no notice.
    const ask = async () => {
      await askForSession().catch(() => undefined);
      setIsNear(endOf(lastKnownSession()?.ends ?? ends) - notice <= Date.now());
    };
    const timer = setTimeout(() => void ask(), Math.min(left, maxTimerMs));
    return () => clearTimeout(timer);
  }, [at, notice, ends]);

  useEffect(() => {
    if (!isNear) return;
    const timers = [setInterval(askAgain, askEveryMs), setTimeout(askAgain, at - Date.now())];
    return () => timers.forEach(clearTimeout);
  }, [isNear, at]);

  useEffect(() => {
    const receive = ({ data }: MessageEvent<Session>) =>
      queryClient.setQueryData(sessionQuery.queryKey, (before) =>
        before?.admin.id === data.admin.id ? data : before,
      );
    tabs.addEventListener('message', receive);
    // Timers stand still while a computer sleeps.
    addEventListener('focus', askAgain);
    return () => {
      tabs.removeEventListener('message', receive);
      removeEventListener('focus', askAgain);
    };
  }, []);

  return isNear ? { at, isFinal: ends.finalAt <= ends.idleAt } : null;
}

function endOf({ idleAt, finalAt }: SessionEnds): number {
  return Math.min(idleAt, finalAt);
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
