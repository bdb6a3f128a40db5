import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './parts.module.css';

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
      <h2 className={styles.noteTitle}>{title}</h2>
      {children !== undefined && <p className={styles.noteText}>{children}</p>}
      {action && (
        <Button variant="default" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

/** Leads from where nothing has come in to the page that says how. */
export function ConnectLink() {
  return (
    <Link to="/connect" style={{ color: 'var(--accent)' }}>
      Connect your website
    </Link>
  );
}
