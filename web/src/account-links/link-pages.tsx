import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { basePath, client } from '../app/data/client.ts';
import { emailInput } from '../parts/inputs.ts';
import sheet from '../parts/sheet.module.css';
import { Finished, forgetLink, LinkCard, SignInLink, useLinkFields } from './link-card.tsx';

const accept = 'Accept your invitation';
const reset = 'Set a new password';

/** Creates the account of an invitation. */
export function InvitationPage() {
  const fields = useLinkFields();
  const token = fields.get('token');
  if (!token)
    return (
      <LinkCard title={accept}>
        <p role="alert" className={sheet.text}>
          This link is incomplete. Open the link in the mail again, or ask for a new invitation.
        </p>
        <SignInLink>Go to the sign-in</SignInLink>
      </LinkCard>
    );
  return (
    <PasswordForm
      key={token}
      title={accept}
      text="Choose a password to create your account."
      newAccount={fields.get('email') ?? ''}
      action="Create account"
      send={async (values) => {
        const { admin, signed_in } = await client.call('invitations.accept', { token, ...values });
        if (signed_in) return undefined;
        return ['Your account is ready.', `Sign in as ${admin.email} with your new password.`];
      }}
    />
  );
}

/** Asks for a link by mail, or sets the password with one. */
export function ResetPasswordPage() {
  const token = useLinkFields().get('token');
  if (!token) return sendsMail ? <AskForm /> : <AskOperator />;
  return (
    <PasswordForm
      key={token}
      title={reset}
      text="The new password ends all sessions of your account."
      action="Set password"
      send={async ({ password }) => {
        await client.call('passwordReset.confirm', { token, password });
        return ['Your new password is set.', 'All sessions of your account have ended. Sign in again.'];
      }}
    />
  );
}

/** The page says before a sign-in whether the service sends mails. */
const sendsMail = document.querySelector<HTMLMetaElement>('meta[name="mail"]')?.content !== 'none';

function AskOperator() {
  return (
    <LinkCard title={reset}>
      <p className={sheet.text}>
        This service sends no mails. Ask its operator to run this command and to pass on the link that it
        prints:
      </p>
      <code className={sheet.text}>backoffice admins reset-link your@email</code>
      <SignInLink>Back to the sign-in</SignInLink>
    </LinkCard>
  );
}

const asked = [
  'If the e-mail belongs to an account, a link is on its way.',
  'It works once, for 30 minutes. Look in your spam folder too.',
];

function AskForm() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  const ask = useMutation({
    mutationFn: (values: typeof form.values) => client.call('passwordReset.create', values),
  });
  if (ask.isSuccess) return <Finished title={reset} sentences={asked} />;
  return (
    <LinkCard title={reset} error={ask.error}>
      <form className={sheet.stack} onSubmit={form.onSubmit((values) => ask.mutate(values))}>
        <p className={sheet.text}>Enter the e-mail of your account. You get a link to set a new password.</p>
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
      <SignInLink>Back to the sign-in</SignInLink>
    </LinkCard>
  );
}

const minLength = 6;

interface PasswordFormProps {
  readonly title: string;
  readonly text: string;
  /** The e-mail of the account that is created, which gets a name too. */
  readonly newAccount?: string;
  readonly action: string;
  /** Resolves with what to say, or with nothing if the person is signed in. */
  readonly send: (values: Record<'username' | 'password', string>) => Promise<readonly string[] | undefined>;
}

/** Chooses a password with the token of a link. The service may ask more of it, and says so. */
function PasswordForm({ title, text, newAccount, action, send }: PasswordFormProps) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: {
      password: ({ length }) => (length < minLength ? `Use at least ${minLength} characters.` : null),
    },
  });
  const { mutate, data, error, isPending, isSuccess } = useMutation({
    mutationFn: send,
    onSuccess(sentences) {
      forgetLink();
      if (sentences === undefined) location.replace(`${basePath}/`);
    },
    onError(problem) {
      if (problem instanceof ResponseError && problem.param === 'password')
        form.setFieldError('password', problem.message);
    },
  });
  if (data) return <Finished title={title} sentences={data} />;
  return (
    <LinkCard title={title} error={'password' in form.errors ? null : error}>
      <form noValidate className={sheet.stack} onSubmit={form.onSubmit((values) => mutate(values))}>
        <p className={sheet.text}>{text}</p>
        {newAccount !== undefined && (
          <>
            <TextInput label="E-mail" autoComplete="username" value={newAccount} readOnly />
            <TextInput
              label="Name"
              description="Optional. By default, it is the part of your e-mail before the @."
              autoComplete="name"
              autoFocus
              maxLength={100}
              {...form.getInputProps('username')}
              key={form.key('username')}
            />
          </>
        )}
        <PasswordInput
          label="New password"
          description="A sentence of your own is easy to remember and hard to guess."
          autoComplete="new-password"
          autoFocus={newAccount === undefined}
          maxLength={1_024}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          {...form.getInputProps('password')}
          key={form.key('password')}
        />
        <Button type="submit" loading={isPending || isSuccess}>
          {action}
        </Button>
      </form>
    </LinkCard>
  );
}
