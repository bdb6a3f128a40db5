import type { Request, Response } from 'express';
import { BackofficeError } from '../../contract/errors.ts';
import type { PauseDeadline } from '../../services/streaming/streamed-json.ts';
import { bodyTimedOut, isBodyMissing } from './body.ts';

/** How long a request may take until its response starts. */
const defaultTimeoutMs = 10_000;

const clientLeft = new BackofficeError({ code: 'failed', text: 'The client has left.' });
const timedOut = { code: 'failed', text: 'The request took too long.' } as const;

interface DeadlineOptions {
  /** Names the work in the log. */
  readonly name: string | undefined;
  readonly fail: (error: unknown) => void;
  readonly timeoutMs?: number | undefined;
}

/**
 * Does the work of a request. If no response has started in time, answers with an error and aborts the
 * signal, which a client that leaves a read does too. Work that waits for its turn may pause the deadline.
 */
export async function withDeadline(
  req: Request,
  res: Response,
  { name, fail, timeoutMs = defaultTimeoutMs }: DeadlineOptions,
  work: (signal: AbortSignal, pause: PauseDeadline) => Promise<void>,
): Promise<void> {
  const timeout = new AbortController();
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  const onTimeout = () => {
    if (res.headersSent) return;
    req.log.error({ operation: name }, 'request timed out');
    const error = new BackofficeError(isBodyMissing(req) ? bodyTimedOut : timedOut);
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
    await work(timeout.signal, pause);
  } catch (error) {
    if (!timeout.signal.aborted) fail(error);
  } finally {
    clearTimeout(timer);
  }
}
