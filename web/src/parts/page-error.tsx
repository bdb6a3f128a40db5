import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Note } from './note.tsx';

/** Stands for a page that has failed. The rest of the dashboard works on. */
export function PageError({ reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Note isAlert title="This page has failed" action={{ label: 'Try again', run: retry }}>
      The service may be away for a moment, or was updated. Try again, or reload the page.
    </Note>
  );
}
