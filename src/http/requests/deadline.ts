import type { Request, Response } from 'express';
import { BackofficeError, busyError } from '../../contract/errors.ts';
import { runUntil, wasDelayed } from '../../db/connection/caller.ts';
import type { PauseDeadline } from '../../services/streaming/streamed-json.ts';
import { bodyTimedOut, isBodyMissing } from './body.ts';

/** How long a request may take until its response starts. */
export const defaultTimeoutMs = 10_000;

const clientLeft = new BackofficeError({ code: 'failed', text: 'The client has left.' });
const timedOut = { code: 'failed', text: 'The request took too long.' } as const;

export interface DeadlineOptions {
  /** Names the work in the log. */
  readonly name: string | undefined;
  /** Whether it may be sent again without a risk although it is no read. */
  readonly isRepeatable?: boolean;
  /** Answers the request with an error. */
  readonly fail: (error: unknown) => void;
  /** How long a request may take until its response starts. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Does the work of a request. If no response has started in time, answers with an error and aborts the work's signal. The
 * error is `busy` for a read that has waited for its turn, and for what is repeatable: the same request may succeed later. A
 * response that has started may take as long as the client needs to read it. Work that waits for its turn may pause the
 * deadline. The signal also aborts when the client of a read leaves.
 */
export async function withDeadline(
  req: Request,
  res: Response,
  { name, isRepeatable = false, fail, timeoutMs = defaultTimeoutMs }: DeadlineOptions,
  work: (signal: AbortSignal, pause: PauseDeadline) => Promise<void>,
): Promise<void> {
  const timeout = new AbortController();
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  const onTimeout = () => {
    if (res.headersSent) return;
    req.log.error({ operation: name }, 'request timed out');
    // Any other change may have begun.
    const isBusy = (isRead || isRepeatable) && wasDelayed(timeout.signal);
    const error = isBusy ? busyError() : new BackofficeError(isBodyMissing(req) ? bodyTimedOut : timedOut);
    fail(error);
    timeout.abort(error);
  };
  let timer = setTimeout(onTimeout, timeoutMs);
  const pause: PauseDeadline = () => {
    clearTimeout(timer);
    return () => {
      clearTimeout(timer);
      timer = setTimeout(onTimeout, timeoutMs);
    };
  };
  // A change is made even if its client does not wait for the answer.
  if (isRead) {
    res.once('close', () => {
      if (!res.writableFinished) timeout.abort(clientLeft);
    });
  }
  try {
    await runUntil(timeout.signal, () => work(timeout.signal, pause));
  } catch (error) {
    if (!timeout.signal.aborted) fail(error);
  } finally {
    clearTimeout(timer);
  }
}
