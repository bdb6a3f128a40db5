import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
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
