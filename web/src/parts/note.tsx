import { Button, VisuallyHidden } from '@mantine/core';
import { type ErrorComponentProps, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { isMissingPart, reloadForNewVersion, useNewVersion } from '../app/lazy-part.ts';
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
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
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
  return <Link to="/connect">Connect your website</Link>;
}

/** Stands for a page that has failed. The rest of the dashboard works on. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isMissing = isMissingPart(error);
  const isNew = useNewVersion();
  useEffect(() => {
    if (isMissing && isNew) reloadForNewVersion();
  }, [isMissing, isNew]);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Note
      isAlert
      title={isMissing ? 'A part of this page could not be loaded' : 'This page failed'}
      action={
        isMissing ? { label: 'Reload', run: () => location.reload() } : { label: 'Try again', run: retry }
      }
    >
      {isMissing
        ? 'Check your connection, then reload the page. Drafts of replies are kept.'
        : 'The rest of the dashboard still works. Try again, or reload the page.'}
    </Note>
  );
}

/** Stands for a page that does not exist. */
export function PageNotFound() {
  const navigate = useNavigate();
  return (
    <>
      <VisuallyHidden component="h1">Page not found</VisuallyHidden>
      <Note
        title="There is no such page"
        action={{ label: 'Go to the overview', run: () => void navigate({ to: '/' }) }}
      >
        Check the address, or choose a page in the navigation.
      </Note>
    </>
  );
}

/** An error of this page, whose message is for the person. */
export class ToldError extends Error {
  override readonly name = 'ToldError';
}

/** Returns what a person may read about an error. */
export function sentenceOf(error: Error): string {
  return error instanceof ResponseError || error instanceof ToldError
    ? error.message
    : 'The service cannot be reached. Check your connection, then try again.';
}

/** Says that something could not be loaded, and offers to try again. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  const isForbidden = error instanceof ResponseError && error.status === 403;
  return (
    <Note
      isAlert
      title={isForbidden ? 'You may not see this' : 'This could not be loaded'}
      action={isForbidden ? undefined : { label: 'Try again', run: retry }}
    >
      {sentenceOf(error)}
    </Note>
  );
}
