import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import type { Actor } from '../services/call/actor.ts';
import type { Log } from '../services/call/observer.ts';
import { currentTracer } from '../shared/tracing.ts';
import { terminalDestination } from './terminal-log.ts';

declare module 'express-serve-static-core' {
  interface Request {
    /** Adds the request's id to every line. */
    log: Log;
    operation?: string | undefined;
    /** Who sends the request, once that is known. */
    caller?: Pick<Actor, 'kind' | 'id' | 'token'> | null;
  }
}

/** Is told of each request, to measure them. */
export interface RequestObserver {
  onStart(): void;
  /** Called when the response is complete or cut off. */
  onEnd(req: Request, res: Response, ms: number): void;
}

/** The request ids that are accepted from a proxy. They cannot inject anything into the log. */
const acceptableRequestId = /^[\w.-]{8,64}$/;

/**
 * Creates the log: JSON lines on standard error. A terminal gets short lines, and without LOG_LEVEL only those about
 * problems, so that what the start has printed stays in sight. Errors have no values of a query, which may be secrets.
 */
export function createLogger({
  logLevel,
  isLogLevelSet,
  tracing,
}: Pick<Config, 'logLevel' | 'isLogLevelSet' | 'tracing'>): Logger {
  const isOnTerminal = process.stderr.isTTY === true;
  const level = isOnTerminal && !isLogLevelSet ? 'warn' : logLevel;
  const logger: Logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      ...(tracing === undefined ? {} : { mixin: () => ({ ...currentTracer()?.currentIds() }) }),
    },
    isOnTerminal
      ? terminalDestination(isLogLevelSet)
      : openLogDestination((lines) =>
          logger.warn({ lines }, 'log lines lost: standard error could not be written'),
        ),
  );
  return logger;
}

/** Statuses of requests that were refused, which may be an attack. */
const refusals: ReadonlySet<number> = new Set([401, 403, 429]);

/** Reports whether a request was refused, not failed: a 503 that says when to try again is part of a start, a stop or a rush. */
function isRefusal(res: Response): boolean {
  return refusals.has(res.statusCode) || (res.statusCode === 503 && res.hasHeader('Retry-After'));
}

/** Gives each request an id and a log. Logs when it ends who called what from where, without headers, query or body. */
export function logRequests(logger: Logger, observer?: RequestObserver): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    observer?.onStart();
    const id = requestId(req);
    // A response may end outside of the context of its request.
    const log = withIds(logger, { requestId: id, ...currentTracer()?.currentIds() });
    req.log = log;
    res.setHeader('X-Request-Id', id);
    // Without a listener, a response that fails would end the process.
    res.on('error', (err) => log.error({ err }, 'response failed'));
    // Every response emits `close`, whether complete or cut off.
    res.on('close', () => {
      const { method, operation, caller, ip: address } = req;
      const { statusCode: status } = res;
      const level = isRefusal(res) ? 'warn' : status >= 500 ? 'error' : 'info';
      const path = req.originalUrl.split('?', 1)[0];
      const actor = caller ? { kind: caller.kind, id: caller.id, token: caller.token?.id } : undefined;
      const exactMs = performance.now() - start;
      observer?.onEnd(req, res, exactMs);
      const ms = Math.round(exactMs);
      log[level]({ req: { method, path }, operation, actor, address, res: { status }, ms }, 'request');
    });
    next();
  };
}

function requestId(req: Request): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && acceptableRequestId.test(given) ? given : randomUUID();
}

/** Works like a pino child. Most requests log one line, and creating a child costs more than that line. */
function withIds(logger: Logger, ids: object): Log {
  return {
    error: (details, message) => logger.error({ ...ids, ...details }, message),
    warn: (details, message) => logger.warn({ ...ids, ...details }, message),
    info: (details, message) => logger.info({ ...ids, ...details }, message),
  };
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}

/** Above this, lines are dropped: a disk that is full, or a reader that has stopped, must not take all memory. */
const maxWaitingBytes = 4 * 1024 * 1024;

type LogDestination = ReturnType<typeof pino.destination>;

/** Opens standard error for the log. While it cannot be written, the lines wait, and the service goes on. */
function openLogDestination(onLost: (lines: number) => void): LogDestination {
  const destination = pino.destination({
    dest: 2,
    // One write per line would cost as much as the rest of the log. pino writes what is buffered before an exit.
    sync: false,
    minLength: 4_096,
    periodicFlush: 100,
    maxLength: maxWaitingBytes,
  });
  let lost = 0;
  let isFailing = false;
  // Without a listener, an error would end the process. What was not written is tried again with the next flush.
  destination.on('error', () => {
    isFailing = true;
  });
  destination.on('write', () => {
    isFailing = false;
  });
  const flushSync = destination.flushSync.bind(destination);
  // pino calls it at the exit. It would try for ever to write to a full disk.
  destination.flushSync = () => {
    if (!isFailing) flushSync();
  };
  destination.on('drop', () => {
    lost += 1;
  });
  destination.on('drain', () => {
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    onLost(lines);
  });
  return destination;
}
