import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { resetPasswordPath, signInPath } from '../../../src/contract/pages.ts';
import type { InputOf, PendingOf } from '../../../src/contract/registry.ts';
import { basePath, client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { lastKnownSession, sessionQuery } from '../app/session/session.ts';
import { useBranding } from '../app/theme/branding.tsx';
import { usePlainTitle } from '../app/use-title.ts';
import styles from '../parts/card.module.css';
import { Card, required } from '../parts/card.tsx';
import { emailInput } from '../parts/inputs.ts';
import { sentenceOf } from '../parts/note.tsx';
import { formatDuration } from '../parts/words.ts';

/** What a sign-in answers for an account that has a second factor. */
type Challenge = PendingOf<'session.create'>;

/** Signs in, with a second factor if the account has one, and leads back to where one wanted to go. */
export function SignInPage() {
  const { back } = useSearch({ from: signInPath });
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
        <PasswordStep onChallenge={setChallenge} onDone={finish} />
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

interface PasswordStepProps {
  /** Called if the account wants a second factor. */
  readonly onChallenge: (challenge: Challenge) => void;
  readonly onDone: () => Promise<void>;
}

/** Asks for the e-mail and the password. */
function PasswordStep({ onChallenge, onDone }: PasswordStepProps) {
  const isAfterEnd = useSearch({ from: signInPath }).why === 'ended';
  const email = (isAfterEnd && lastKnownSession()?.admin.email) || '';
  const { name, logo } = useBranding();
  const signIn = useMutation({
    mutationFn: (values: InputOf<'session.create'>) => client.call('session.create', values),
    onSuccess: async (answer) => ('challenge' in answer ? onChallenge(answer) : await onDone()),
  });
  return (
    <Card
      above={logo !== null && <img className={styles.logo} src={`${basePath}/${logo}`} alt="" />}
      title={`Sign in to ${name}`}
      problem={signIn.error && <Problem error={signIn.error} />}
      onSubmit={signIn.mutate}
    >
      {isAfterEnd && !signIn.error && (
        <Alert role="status">
          Your session has ended. Sign in to go on where you were. What you wrote to visitors is kept.
        </Alert>
      )}
      <TextInput
        label="E-mail"
        name="email"
        defaultValue={email}
        {...emailInput}
        {...required}
        autoComplete="username"
        autoFocus={email === ''}
      />
      <PasswordInput
        label="Password"
        name="password"
        {...required}
        autoComplete="current-password"
        autoFocus={email !== ''}
      />
      <Button type="submit" loading={signIn.isPending}>
        Sign in
      </Button>
      <a href={basePath + resetPasswordPath}>Forgot password?</a>
    </Card>
  );
}

type Method = Challenge['methods'][number];

/** What chooses each method, and what it asks for. */
const prompts: Readonly<Record<Method, readonly [choice: string, text: string]>> = {
  totp: ['Use an authenticator app', 'Enter the code that your authenticator app shows.'],
  email: [
    'Use the code sent by e-mail',
    'Enter the code that was sent to you by e-mail. It is valid for 5 minutes.',
  ],
  recovery: ['Use a recovery code', 'Enter one of your recovery codes. It works once.'],
  passkey: ['Use a passkey', 'Confirm with your passkey.'],
};

interface SecondStepProps {
  readonly challenge: Challenge;
  /** Called to go back to the password: the sign-in may have expired, or be somebody else's. */
  readonly onRestart: () => void;
  readonly onDone: () => Promise<void>;
}

/** Asks for the second factor. */
function SecondStep({ challenge: { challenge, methods, passkey }, onRestart, onDone }: SecondStepProps) {
  const [method, setMethod] = useState<Method>(methods[0] ?? 'recovery');
  const verify = useMutation({
    mutationFn: async ({ code }: { readonly code?: string }) => {
      const proof = method === 'passkey' ? { credential: await confirmPasskey(passkey) } : { code };
      return await client.call('session.verify', { challenge, method, ...proof });
    },
    onSuccess: onDone,
  });

  function choose(other: Method): void {
    verify.reset();
    setMethod(other);
  }

  return (
    <Card
      title="Confirm that it is you"
      text={prompts[method][1]}
      problem={verify.error && <Problem error={verify.error} />}
      onSubmit={verify.mutate}
    >
      {method !== 'passkey' && (
        <TextInput
          key={method}
          label={method === 'recovery' ? 'Recovery code' : 'Code'}
          name="code"
          {...required}
          autoComplete="one-time-code"
          inputMode={method === 'recovery' ? 'text' : 'numeric'}
          autoFocus
        />
      )}
      <Button type="submit" loading={verify.isPending}>
        {method === 'passkey' ? 'Use the passkey' : 'Confirm'}
      </Button>
      {methods
        .filter((other) => other !== method)
        .map((other) => (
          <Button key={other} variant="default" onClick={() => choose(other)}>
            {prompts[other][0]}
          </Button>
        ))}
      <Button variant="subtle" onClick={onRestart}>
        Start again
      </Button>
    </Card>
  );
}

/** Asks the browser for a passkey. */
async function confirmPasskey(options: Challenge['passkey']): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return { ...(await startAuthentication({ optionsJSON })) };
}

/** Says why a step has failed, and when it can be tried again. */
function Problem({ error }: { readonly error: Error }) {
  const seconds = error instanceof ResponseError && error.status === 429 ? error.retryAfter : undefined;
  if (seconds === undefined)
    return error.name === 'NotAllowedError' ? 'The passkey was not confirmed.' : sentenceOf(error);
  return (
    <>
      Too many attempts. <Wait key={String(error)} seconds={seconds} />
    </>
  );
}

/** Counts down to when another attempt makes sense. Screen readers hear it once. */
function Wait({ seconds }: { readonly seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  const count = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000)));
  useInterval(count, 1_000, { autoInvoke: true });
  return (
    <span aria-live="off">
      {left === 0 ? 'You can try again now.' : `Try again in ${formatDuration(left * 1_000)}.`}
    </span>
  );
}
