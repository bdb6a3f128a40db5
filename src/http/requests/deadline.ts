import type { ErrorRequestHandler, Request, Response } from 'express';
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

/** The time that the work of a request has. */
interface Deadline {
  /** Aborts when the client has received an error, or has left a read. */
  readonly signal: AbortSignal;
  /** Work that waits for its turn may pause the deadline. */
  readonly pause: PauseDeadline;
  /** Ends the deadline: the work is done. */
  end(): void;
  /** Ends the deadline, and answers with the error unless the signal has aborted. */
  fail(error: unknown): void;
}

declare module 'express-serve-static-core' {
  interface Request {
    deadline: Deadline;
  }
}

/** Starts `req.deadline`. If no response has started in time, it answers with an error and aborts its signal. */
export function startDeadline(
  req: Request,
  res: Response,
  { name, fail, timeoutMs = defaultTimeoutMs }: DeadlineOptions,
): void {
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
  const end = () => clearTimeout(timer);
  // A change is made even if its client does not wait for the answer.
  if (isRead) {
    res.once('close', () => {
      if (!res.writableFinished) timeout.abort(clientLeft);
    });
  }
  req.deadline = {
    signal: timeout.signal,
    pause() {
      end();
      return () => {
        end();
        timer = setTimeout(onTimeout, timeoutMs);
      };
    },
    end,
    fail(error) {
      end();
      if (!timeout.signal.aborted) fail(error);
    },
  };
}

/** Answers a request whose work has failed. Express recognizes an error handler by its four parameters. */
export const failInTime: ErrorRequestHandler = (error, req, _res, _next) => req.deadline.fail(error);
