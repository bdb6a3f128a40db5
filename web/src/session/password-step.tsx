import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { resetPasswordPath } from '../../../src/contract/pages.ts';
import type { PendingOf } from '../../../src/contract/registry.ts';
import { basePath, client } from '../app/data/client.ts';
import { useBranding } from '../app/theme/branding.tsx';
import styles from '../parts/card.module.css';
import { emailInput } from '../parts/inputs.ts';
import { SignInProblem } from './sign-in-problem.tsx';

interface PasswordStepProps {
  /** The e-mail of who was signed in last. */
  readonly email?: string | undefined;
  /** Called if the account wants a second factor. */
  readonly onChallenge: (challenge: PendingOf<'session.create'>) => void;
  readonly onDone: () => Promise<void>;
  /** Why one is asked to sign in, if not because one wanted to. */
  readonly reason: string | undefined;
}

/** Asks for the e-mail and the password. */
export function PasswordStep({ email = '', reason, onChallenge, onDone }: PasswordStepProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email, password: '' } });
  const signIn = useMutation({
    mutationFn: (values: typeof form.values) => client.call('session.create', values),
    onSuccess: async (answer) => ('challenge' in answer ? onChallenge(answer) : await onDone()),
  });
  return (
    <form className={styles.card} onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <SignInTitle />
      {reason !== undefined && !signIn.error && <Alert role="status">{reason}</Alert>}
      {signIn.error && <SignInProblem error={signIn.error} />}
      <TextInput
        label="E-mail"
        {...emailInput}
        autoComplete="username"
        required
        withAsterisk={false}
        autoFocus={email === ''}
        {...form.getInputProps('email')}
        key={form.key('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        autoFocus={email !== ''}
        {...form.getInputProps('password')}
        key={form.key('password')}
      />
      <Button type="submit" loading={signIn.isPending}>
        Sign in
      </Button>
      <a className={styles.link} href={`${basePath}${resetPasswordPath}`}>
        Forgot password?
      </a>
    </form>
  );
}

function SignInTitle() {
  const { name, logo } = useBranding();
  return (
    <>
      {logo !== null && <img className={styles.logo} src={`${basePath}/${logo}`} alt="" />}
      <h1 className={styles.title}>Sign in to {name}</h1>
    </>
  );
}
