import { VisuallyHidden } from '@mantine/core';
import { type ErrorComponentProps, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isMissingPart, reloadForNewVersion, useNewVersion } from '../app/lazy-part.ts';
import { Note } from './note.tsx';

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
