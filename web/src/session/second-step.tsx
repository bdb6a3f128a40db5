import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { InputOf, PendingOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import styles from '../parts/card.module.css';
import { SignInProblem } from './sign-in-problem.tsx';

type Challenge = PendingOf<'session.create'>;
type Method = Challenge['methods'][number];

/** What each method asks for. */
const prompts: Readonly<
  Record<Method, { readonly choice: string; readonly text: string; readonly label: string }>
> = {
  totp: {
    choice: 'Use an authenticator app',
    text: 'Enter the code that your authenticator app shows.',
    label: 'Code',
  },
  email: {
    choice: 'Use the code sent by e-mail',
    text: 'Enter the code that was sent to you by e-mail. It is valid for 5 minutes.',
    label: 'Code',
  },
  recovery: {
    choice: 'Use a recovery code',
    text: 'Enter one of your recovery codes. It works once.',
    label: 'Recovery code',
  },
  passkey: { choice: 'Use a passkey', text: 'Confirm with your passkey.', label: '' },
};

interface SecondStepProps {
  readonly challenge: Challenge;
  /** Called to go back to the password: the sign-in may have expired, or be somebody else's. */
  readonly onRestart: () => void;
  readonly onDone: () => Promise<void>;
}

/** Asks for the second factor. */
export function SecondStep({ challenge, onRestart, onDone }: SecondStepProps) {
  const [method, setMethod] = useState<Method>(challenge.methods[0] ?? 'recovery');
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } });
  const verify = useMutation({
    mutationFn: async ({ code }: { readonly code: string }) =>
      await client.call('session.verify', await proofOf(challenge, method, code)),
    onSuccess: onDone,
  });
  const { text, label } = prompts[method];
  const others = challenge.methods.filter((other) => other !== method);

  function choose(other: Method): void {
    verify.reset();
    form.reset();
    setMethod(other);
  }

  return (
    <form className={styles.card} onSubmit={form.onSubmit((values) => verify.mutate(values))}>
      <h1 className={styles.title}>Confirm that it is you</h1>
      <p className={styles.text}>{text}</p>
      {verify.error && (
        <SignInProblem
          error={verify.error}
          text={verify.error.name === 'NotAllowedError' ? 'The passkey was not confirmed.' : undefined}
        />
      )}
      {method !== 'passkey' && (
        <TextInput
          label={label}
          autoComplete="one-time-code"
          inputMode={method === 'recovery' ? 'text' : 'numeric'}
          required
          withAsterisk={false}
          autoFocus
          {...form.getInputProps('code')}
          key={form.key('code')}
        />
      )}
      <Button type="submit" loading={verify.isPending}>
        {method === 'passkey' ? 'Use the passkey' : 'Confirm'}
      </Button>
      {others.map((other) => (
        <Button key={other} variant="default" onClick={() => choose(other)}>
          {prompts[other].choice}
        </Button>
      ))}
      <Button variant="subtle" onClick={onRestart}>
        Start again
      </Button>
    </form>
  );
}

/** Returns what proves the second factor. A passkey asks the browser for it. */
async function proofOf(
  { challenge, passkey }: Challenge,
  method: Method,
  code: string,
): Promise<InputOf<'session.verify'>> {
  if (method !== 'passkey') return { challenge, method, code };
  const optionsJSON = passkey as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const credential = await startAuthentication({ optionsJSON });
  return { challenge, method, credential: { ...credential } };
}
