import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { sentenceOf } from '../parts/failure.tsx';
import { counted } from '../parts/numbers.ts';

interface SignInProblemProps {
  readonly error: Error;
  /** Said instead of the service's sentence. */
  readonly text?: string | undefined;
}

/** Says why a sign-in has failed, and when it can be tried again. */
export function SignInProblem({ error, text }: SignInProblemProps) {
  const seconds = error instanceof ResponseError && error.status === 429 ? error.retryAfter : undefined;
  return (
    <Alert color="red" role="alert">
      {text ?? (seconds === undefined ? sentenceOf(error) : 'Too many attempts. ')}
      {seconds !== undefined && <Wait key={String(error)} seconds={seconds} />}
    </Alert>
  );
}

/** Counts down to when another attempt makes sense. Screen readers hear it once. */
function Wait({ seconds }: { readonly seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000))), 1_000);
    return () => clearInterval(timer);
  }, [end]);
  return (
    <span aria-live="off">{left === 0 ? 'You can try again now.' : `Try again in ${inWords(left)}.`}</span>
  );
}

/** Writes a time such as `2 minutes 5 seconds`. */
function inWords(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  return parts.flatMap(([value, unit]) => (value > 0 ? [counted(value, unit)] : [])).join(' ');
}
