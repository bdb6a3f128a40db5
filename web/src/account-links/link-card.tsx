import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { signInPath } from '../../../src/contract/pages.ts';
import { basePath } from '../app/data/client.ts';
import { Brand } from '../app/theme/branding.tsx';
import { usePlainTitle } from '../app/use-title.ts';
import styles from '../parts/card.module.css';
import { Card, type CardProps } from '../parts/card.tsx';
import { sentenceOf } from '../parts/failure.tsx';
import sheet from '../parts/sheet.module.css';

interface LinkCardProps<Name extends string> extends Omit<CardProps<Name>, 'above' | 'problem' | 'role'> {
  readonly error?: Error | null;
  /** The words of the link to the sign-in. */
  readonly link?: string;
}

/** A page that the link of a mail leads to, for people who are not signed in. */
export function LinkCard<Name extends string>({ error, link, children, ...card }: LinkCardProps<Name>) {
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

interface FinishedProps {
  readonly title: string;
  readonly sentences: readonly string[];
}

const focus = (text: HTMLElement | null) => text?.focus();

/** Says what has been done, to screen readers too, and leads on. */
export function Finished({ title, sentences }: FinishedProps) {
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
