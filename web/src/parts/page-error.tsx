import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isMissingPart, reloadIfReplaced } from '../app/new-version.ts';
import { Note } from './note.tsx';

/** Stands for a page that has failed. The rest of the dashboard works on. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isMissing = isMissingPart(error);
  useEffect(() => {
    if (isMissing) void reloadIfReplaced();
  }, [isMissing]);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Note
      isAlert
      title={isMissing ? 'A part of this page could not be loaded' : 'This page has failed'}
      action={{ label: 'Try again', run: retry }}
    >
      {isMissing
        ? 'Check your connection, then try again. Drafts of replies are kept.'
        : 'The rest of the dashboard still works. Try again, or reload the page.'}
    </Note>
  );
}
