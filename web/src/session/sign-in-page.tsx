import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signInPath } from '../../../src/contract/pages.ts';
import { basePath } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { lastKnownSession, sessionQuery } from '../app/session/session.ts';
import { usePlainTitle } from '../app/use-title.ts';
import styles from '../parts/card.module.css';
import { type Challenge, PasswordStep, SecondStep } from './sign-in-steps.tsx';

/** Signs in, with a second factor if the account has one, and leads back to where one wanted to go. */
export function SignInPage() {
  const { back, why } = useSearch({ from: signInPath });
  const router = useRouter();
  usePlainTitle('Sign in');
  const [challenge, setChallenge] = useState<Challenge>();
  const last = lastKnownSession()?.admin;

  async function finish(): Promise<void> {
    const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    // The history's paths are those of the browser, with the path of a proxy.
    const path = basePath + ownPathOf(back);
    // What the page knows is what the last person was allowed to see.
    if (last !== undefined && session?.admin.id !== last.id) location.assign(path);
    else router.history.push(path);
  }

  return (
    <main className={styles.page}>
      {challenge === undefined ? (
        <PasswordStep isAfterEnd={why === 'ended'} onChallenge={setChallenge} onDone={finish} />
      ) : (
        <SecondStep challenge={challenge} onRestart={() => setChallenge(undefined)} onDone={finish} />
      )}
    </main>
  );
}

/** Returns the path if it is one of this dashboard. `//example.com` begins with a slash too, and is another site. */
function ownPathOf(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : '/';
}
