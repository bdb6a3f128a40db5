import { Alert, PasswordInput, type PasswordInputProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { signInPath } from '../../../src/contract/pages.ts';
import { basePath } from '../app/data/client.ts';
import { Brand } from '../app/theme/branding.tsx';
import { usePlainTitle } from '../app/use-title.ts';
import styles from '../parts/card.module.css';
import { sentenceOf } from '../parts/failure.tsx';

interface LinkCardProps {
  readonly title: string;
  readonly error?: Error | null;
  readonly children: ReactNode;
}

/** A page that the link of a mail leads to, for people who are not signed in. */
export function LinkCard({ title, error, children }: LinkCardProps) {
  usePlainTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <Brand />
        </p>
        <h1 className={styles.title}>{title}</h1>
        {error && (
          <Alert color="red" role="alert">
            {sentenceOf(error)}
          </Alert>
        )}
        {children}
      </div>
    </main>
  );
}

/** Says what has been done, to screen readers too, and leads on. */
export function Finished({ sentences }: { readonly sentences: readonly string[] }) {
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    text.current?.focus();
  }, []);
  return (
    <>
      <div ref={text} role="status" tabIndex={-1} className={styles.texts}>
        {sentences.map((sentence) => (
          <p key={sentence} className={styles.text}>
            {sentence}
          </p>
        ))}
      </div>
      <a className={styles.link} href={basePath + signInPath}>
        Go to the sign-in
      </a>
    </>
  );
}

const minLength = 6;
const maxLength = 1_024;

/** Says what is wrong with a new password. The service may ask for more, and says so. */
export function checkNewPassword(password: string): string | null {
  return password.length < minLength ? `Use at least ${minLength} characters.` : null;
}

/** The field for a new password. */
export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description="A sentence of your own is easy to remember and hard to guess."
      autoComplete="new-password"
      maxLength={maxLength}
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      {...props}
    />
  );
}

/** Returns what the service says about a new password, for its field; nothing if the error is about something else. */
export function passwordErrorOf(error: Error): { readonly password?: string } {
  return error instanceof ResponseError && error.param === 'password' ? { password: error.message } : {};
}

const fieldsOfAddress = () => new URLSearchParams(location.hash.slice(1));

/**
 * Returns what the link of a mail contains. It is in the fragment of the address, which browsers send to nobody: neither to
 * the logs of a proxy nor to another site.
 */
export function useLinkFields(): URLSearchParams {
  const [fields, setFields] = useState(fieldsOfAddress);
  useEffect(() => {
    // Another link that is opened in this tab changes only the fragment.
    const onChange = () => setFields(fieldsOfAddress());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return fields;
}

/** Takes a link that has been used out of the address, and so out of the browser's history. */
export function forgetLink(): void {
  history.replaceState(history.state, '', location.pathname);
}
