import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { askForSession, type EndingSession } from '../app/session/session-end.ts';
import { tellError } from '../parts/tell.ts';
import styles from './session-notice.module.css';
import { SignInAgain } from './sign-in-again.tsx';

/** Announces that the session is about to end, and prolongs it or starts a new one. */
export function SessionNotice({ ending: { at, isFinal } }: { readonly ending: EndingSession }) {
  const [isSigningIn, setIsSigningIn] = useState(false);
  const stay = useMutation({ mutationFn: askForSession, onError: tellError });
  return (
    <>
      <section className={styles.notice} aria-label="End of the session">
        {/* Read out once: it does not change with the seconds. */}
        <div role="alert">
          <strong>You are about to be signed out</strong>
          <p className={styles.text}>
            {isFinal
              ? 'A session cannot last longer. Sign in again to begin a new one: nothing on this page is lost.'
              : 'You have not used this page for a while.'}
          </p>
        </div>
        <div className={styles.buttons}>
          <Countdown to={at} />
          {isFinal ? (
            <Button size="sm" onClick={() => setIsSigningIn(true)}>
              Sign in again
            </Button>
          ) : (
            <Button size="sm" loading={stay.isPending} onClick={() => stay.mutate()}>
              Stay signed in
            </Button>
          )}
        </div>
      </section>
      {isSigningIn && <SignInAgain onClose={() => setIsSigningIn(false)} />}
    </>
  );
}

/** The time that is left, which is seen and not read out. */
function Countdown({ to }: { readonly to: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((to - now) / 1_000));
  return (
    <span className={styles.countdown} role="timer" aria-label="Time left">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}
