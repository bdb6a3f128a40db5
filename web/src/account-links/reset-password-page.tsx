import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { signInPath } from '../../../src/contract/pages.ts';
import { basePath, client } from '../app/data/client.ts';
import styles from '../parts/card.module.css';
import { emailInput } from '../parts/inputs.ts';
import {
  checkNewPassword,
  Finished,
  forgetLink,
  LinkCard,
  NewPassword,
  passwordErrorOf,
  useLinkFields,
} from './link-card.tsx';

const title = 'Set a new password';

/** Asks for a link by mail, or sets the password with one. */
export function ResetPasswordPage() {
  const token = useLinkFields().get('token') ?? '';
  if (token !== '') return <ConfirmForm key={token} token={token} />;
  return sendsMail ? <AskForm /> : <AskOperator />;
}

/** The page says before a sign-in whether the service sends mails. */
const sendsMail = document.querySelector<HTMLMetaElement>('meta[name="mail"]')?.content !== 'none';

function AskOperator() {
  return (
    <LinkCard title={title}>
      <p className={styles.text}>
        This service sends no mails. Ask its operator to run this command and to pass on the link that it
        prints:
      </p>
      <code className={styles.text}>backoffice admins reset-link your@email</code>
      <a className={styles.link} href={basePath + signInPath}>
        Back to the sign-in
      </a>
    </LinkCard>
  );
}

function AskForm() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  const ask = useMutation({
    mutationFn: (values: typeof form.values) => client.call('passwordReset.create', values),
  });
  if (ask.isSuccess)
    return (
      <LinkCard title={title}>
        <Finished
          sentences={[
            'If the e-mail belongs to an account, a link is on its way.',
            'It works once, for 30 minutes. Look in your spam folder too.',
          ]}
        />
      </LinkCard>
    );
  return (
    <LinkCard title={title} error={ask.error}>
      <form className={styles.form} onSubmit={form.onSubmit((values) => ask.mutate(values))}>
        <p className={styles.text}>Enter the e-mail of your account. You get a link to set a new password.</p>
        <TextInput
          label="E-mail"
          {...emailInput}
          autoComplete="username"
          autoFocus
          maxLength={254}
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
          key={form.key('email')}
        />
        <Button type="submit" loading={ask.isPending}>
          Send the link
        </Button>
      </form>
      <a className={styles.link} href={basePath + signInPath}>
        Back to the sign-in
      </a>
    </LinkCard>
  );
}

function ConfirmForm({ token }: { readonly token: string }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: checkNewPassword },
  });
  const confirm = useMutation({
    mutationFn: (values: typeof form.values) => client.call('passwordReset.confirm', { token, ...values }),
    onSuccess: forgetLink,
    onError: (error) => form.setErrors(passwordErrorOf(error)),
  });
  if (confirm.isSuccess)
    return (
      <LinkCard title={title}>
        <Finished
          sentences={['Your new password is set.', 'All sessions of your account have ended. Sign in again.']}
        />
      </LinkCard>
    );
  return (
    <LinkCard title={title} error={'password' in form.errors ? null : confirm.error}>
      <form noValidate className={styles.form} onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
        <p className={styles.text}>The new password ends all sessions of your account.</p>
        <NewPassword autoFocus {...form.getInputProps('password')} key={form.key('password')} />
        <Button type="submit" loading={confirm.isPending}>
          Set password
        </Button>
      </form>
    </LinkCard>
  );
}
