import { Alert } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { signInPath } from '../../../src/contract/pages.ts';
import { basePath } from '../app/data/client.ts';
import { Brand } from '../app/theme/branding.tsx';
import { usePlainTitle } from '../app/use-title.ts';
import styles from '../parts/card.module.css';
import { sentenceOf } from '../parts/failure.tsx';
import sheet from '../parts/sheet.module.css';

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
        <div className={sheet.row}>
          <Brand />
        </div>
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

/** Leads on. */
export function SignInLink({ children }: { readonly children: string }) {
  return <a href={basePath + signInPath}>{children}</a>;
}

interface FinishedProps {
  readonly title: string;
  readonly sentences: readonly string[];
}

/** Says what has been done, to screen readers too, and leads on. */
export function Finished({ title, sentences }: FinishedProps) {
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    text.current?.focus();
  }, []);
  return (
    <LinkCard title={title}>
      <div ref={text} role="status" tabIndex={-1} className={sheet.prose} style={{ outline: 'none' }}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <SignInLink>Go to the sign-in</SignInLink>
    </LinkCard>
  );
}

const fieldsOfAddress = () => new URLSearchParams(location.hash.slice(1));

/**
 * Returns what the link of a mail contains. It is in the fragment of the address, which browsers send to nobody: neither to
 * the logs of a proxy nor to another site.
 */
export function useLinkFields(): URLSearchParams {
  const [fields, setFields] = useState(fieldsOfAddress);
  // Another link that is opened in this tab changes only the fragment.
  useWindowEvent('hashchange', () => setFields(fieldsOfAddress()));
  return fields;
}

/** Takes a link that has been used out of the address, and so out of the browser's history. */
export function forgetLink(): void {
  history.replaceState(history.state, '', location.pathname);
}
