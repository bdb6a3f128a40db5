import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { PendingOf } from '../../../src/contract/registry.ts';
import { useBranding } from '../app/branding.tsx';
import { basePath, client } from '../app/client.ts';
import styles from '../parts/card.module.css';
import { sentenceOf } from '../parts/failure.tsx';

interface PasswordStepProps {
  /** Called if the account wants a second factor. */
  readonly onChallenge: (challenge: PendingOf<'session.create'>) => void;
  readonly onDone: () => Promise<void>;
}

export function PasswordStep({ onChallenge, onDone }: PasswordStepProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } });
  const signIn = useMutation({
    mutationFn: (values: typeof form.values) => client.call('session.create', values),
    onSuccess: async (answer) => ('challenge' in answer ? onChallenge(answer) : await onDone()),
  });
  return (
    <form className={styles.card} onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <SignInTitle />
      {signIn.error && (
        <Alert color="red" role="alert">
          {sentenceOf(signIn.error)}
        </Alert>
      )}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        {...form.getInputProps('email')}
        key={form.key('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        {...form.getInputProps('password')}
        key={form.key('password')}
      />
      <Button type="submit" loading={signIn.isPending}>
        Sign in
      </Button>
      <a className={styles.link} href={`${basePath}/reset-password`}>
        Forgot your password?
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
