import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { Note } from './note.tsx';

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
