import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './note.module.css';

interface NoteProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** What to do about it. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  /** Whether it is read out at once. */
  readonly isAlert?: boolean;
}

/** Says why there is nothing to show, and what to do about it. */
export function Note({ title, children, action, isAlert = false }: NoteProps) {
  return (
    <div className={styles.note} role={isAlert ? 'alert' : undefined}>
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {action && (
        <Button variant="default" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </div>
  );
}
