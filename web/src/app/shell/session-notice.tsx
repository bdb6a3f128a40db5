import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Moment } from '../../parts/moment.tsx';
import { tellError } from '../../parts/tell.ts';
import { askForSession, type EndingSession } from '../session/session-end.ts';
import styles from './shell.module.css';

/** Announces that the session is about to end, and prolongs one that ends because it is not used. */
export function SessionNotice({ ending: { at, isFinal } }: { readonly ending: EndingSession }) {
  const stay = useMutation({ mutationFn: askForSession, onError: tellError });
  return (
    <section className={styles.ending} aria-label="End of the session">
      <div role="alert">
        <strong>
          You are signed out at <Moment at={new Date(at).toISOString()} form="time" />.
        </strong>{' '}
        {isFinal
          ? 'A session cannot last longer. Drafts of replies and forms are kept until you sign in again.'
          : 'You have not used this page for a while.'}
      </div>
      {!isFinal && (
        <Button size="sm" loading={stay.isPending} onClick={() => stay.mutate()}>
          Stay signed in
        </Button>
      )}
    </section>
  );
}
