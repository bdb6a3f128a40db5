import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { signInPath } from '../../../src/contract/pages.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { basePath, client } from '../app/data/client.ts';
import { Brand } from '../app/theme/branding.tsx';
import { usePlainTitle } from '../app/use-title.ts';
import styles from '../parts/card.module.css';
import { Card, type CardProps, required } from '../parts/card.tsx';
import { emailInput } from '../parts/inputs.ts';
import { sentenceOf } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';

const accept = 'Accept your invitation';
const reset = 'Set a new password';

/** Creates the account of an invitation. */
export function InvitationPage() {
  const fields = useLinkFields();
  const token = fields.get('token');
  if (!token)
    return (
      <LinkCard title={accept} link="Go to the sign-in">
        <p role="alert" className={sheet.text}>
          This link is incomplete. Open the link in the mail again, or ask for a new invitation.
        </p>
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
    <LinkCard
      title={reset}
      text="This service sends no mails. Ask its operator to run this command and to pass on the link that it prints:"
      link="Back to the sign-in"
    >
      <code className={sheet.text}>backoffice admins reset-link your@email</code>
    </LinkCard>
  );
}

const asked = [
  'If the e-mail belongs to an account, a link is on its way.',
  'It works once, for 30 minutes. Look in your spam folder too.',
];

function AskForm() {
  const ask = useMutation({
    mutationFn: (input: InputOf<'passwordReset.create'>) => client.call('passwordReset.create', input),
  });
  if (ask.isSuccess) return <Finished title={reset} sentences={asked} />;
  return (
    <LinkCard
      title={reset}
      text="Enter the e-mail of your account. You get a link to set a new password."
      error={ask.error}
      link="Back to the sign-in"
      onSubmit={ask.mutate}
    >
      <TextInput
        label="E-mail"
        name="email"
        {...emailInput}
        {...required}
        autoComplete="username"
        autoFocus
        maxLength={254}
      />
      <Button type="submit" loading={ask.isPending}>
        Send the link
      </Button>
    </LinkCard>
  );
}

/** What the fields contain. Only a new account has a name. */
type NewPassword = Readonly<Record<'username' | 'password', string>>;

interface PasswordFormProps {
  readonly title: string;
  readonly text: string;
  /** The e-mail of the account that is created, which gets a name too. */
  readonly newAccount?: string;
  readonly action: string;
  /** Resolves with what to say, or with nothing if the person is signed in. */
  readonly send: (values: NewPassword) => Promise<readonly string[] | undefined>;
}

/** Chooses a password with the token of a link. The service may ask more of it, and says so. */
function PasswordForm({ title, text, newAccount, action, send }: PasswordFormProps) {
  const { mutate, reset, data, error, isPending, isSuccess } = useMutation({
    mutationFn: send,
    onSuccess(sentences) {
      // The link has been used: it leaves the address, and so the browser's history.
      history.replaceState(history.state, '', location.pathname);
      if (sentences === undefined) location.replace(`${basePath}/`);
    },
  });
  if (data) return <Finished title={title} sentences={data} />;
  const isOfPassword = error instanceof ResponseError && error.param === 'password';
  return (
    <LinkCard title={title} text={text} error={isOfPassword ? null : error} onSubmit={mutate}>
      {newAccount !== undefined && (
        <>
          <TextInput label="E-mail" autoComplete="username" value={newAccount} readOnly />
          <TextInput
            label="Name"
            name="username"
            description="Optional. By default, it is the part of your e-mail before the @."
            autoComplete="name"
            autoFocus
            maxLength={100}
          />
        </>
      )}
      <PasswordInput
        label="New password"
        name="password"
        description="A sentence of your own is easy to remember and hard to guess."
        {...required}
        autoComplete="new-password"
        autoFocus={newAccount === undefined}
        maxLength={1_024}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        error={isOfPassword && sentenceOf(error)}
        onChange={() => isOfPassword && reset()}
      />
      <Button type="submit" loading={isPending || isSuccess}>
        {action}
      </Button>
    </LinkCard>
  );
}

interface LinkCardProps<Name extends string> extends Omit<CardProps<Name>, 'above' | 'problem' | 'role'> {
  readonly error?: Error | null;
  /** The words of the link to the sign-in. */
  readonly link?: string;
}

/** A page that the link of a mail leads to, for people who are not signed in. */
function LinkCard<Name extends string>({ error, link, children, ...card }: LinkCardProps<Name>) {
  usePlainTitle(card.title);
  const brand = (
    <div className={sheet.row}>
      <Brand />
    </div>
  );
  return (
    <main className={styles.page}>
      <Card above={brand} problem={error && sentenceOf(error)} {...card}>
        {children}
        {link && <a href={basePath + signInPath}>{link}</a>}
      </Card>
    </main>
  );
}

const focus = (text: HTMLElement | null) => text?.focus();

/** Says what has been done, to screen readers too, and leads on. */
function Finished({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  return (
    <LinkCard title={title} link="Go to the sign-in">
      <div ref={focus} role="status" tabIndex={-1} className={sheet.prose} style={{ outline: 'none' }}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </LinkCard>
  );
}

const fieldsOfAddress = () => new URLSearchParams(location.hash.slice(1));

/**
 * Returns what the link of a mail contains. It is in the fragment of the address, which browsers send to nobody: neither to
 * the logs of a proxy nor to another site.
 */
function useLinkFields(): URLSearchParams {
  const [fields, setFields] = useState(fieldsOfAddress);
  // Another link that is opened in this tab changes only the fragment.
  useWindowEvent('hashchange', () => setFields(fieldsOfAddress()));
  return fields;
}
