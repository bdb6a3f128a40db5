import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { signInPath } from '../../../src/contract/pages.ts';
import { basePath, client } from '../app/data/client.ts';
import styles from '../parts/card.module.css';
import {
  checkNewPassword,
  Finished,
  forgetLink,
  LinkCard,
  NewPassword,
  passwordErrorOf,
  useLinkFields,
} from './link-card.tsx';

const title = 'Accept your invitation';

/** Creates the account of an invitation. */
export function InvitationPage() {
  const fields = useLinkFields();
  const token = fields.get('token') ?? '';
  if (token === '') return <IncompleteLink />;
  return <AcceptForm key={token} token={token} email={fields.get('email') ?? ''} />;
}

function IncompleteLink() {
  return (
    <LinkCard title={title}>
      <p role="alert" className={styles.text}>
        This link is incomplete. Open the link in the mail again, or ask for a new invitation.
      </p>
      <a className={styles.link} href={basePath + signInPath}>
        Go to the sign-in
      </a>
    </LinkCard>
  );
}

interface AcceptFormProps {
  readonly token: string;
  readonly email: string;
}

function AcceptForm({ token, email }: AcceptFormProps) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: { password: checkNewPassword },
  });
  const accept = useMutation({
    mutationFn: (values: typeof form.values) => client.call('invitations.accept', { token, ...values }),
    onSuccess({ signed_in: isSignedIn }) {
      forgetLink();
      if (isSignedIn) location.replace(`${basePath}/`);
    },
    onError: (error) => form.setErrors(passwordErrorOf(error)),
  });
  if (accept.isSuccess && !accept.data.signed_in) {
    const { email: created } = accept.data.admin;
    return (
      <LinkCard title={title}>
        <Finished sentences={['Your account is ready.', `Sign in as ${created} with your new password.`]} />
      </LinkCard>
    );
  }
  return (
    <LinkCard title={title} error={'password' in form.errors ? null : accept.error}>
      <form noValidate className={styles.form} onSubmit={form.onSubmit((values) => accept.mutate(values))}>
        <p className={styles.text}>Choose a password to create your account.</p>
        <TextInput label="E-mail" autoComplete="username" value={email} readOnly />
        <TextInput
          label="Name"
          description="Optional. By default, it is the part of your e-mail before the @."
          autoComplete="name"
          autoFocus
          maxLength={100}
          {...form.getInputProps('username')}
          key={form.key('username')}
        />
        <NewPassword {...form.getInputProps('password')} key={form.key('password')} />
        <Button type="submit" loading={accept.isPending || accept.isSuccess}>
          Create account
        </Button>
      </form>
    </LinkCard>
  );
}
