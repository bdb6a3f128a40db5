import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import type { Log } from '../services/call/log.ts';

declare module 'express-serve-static-core' {
  interface Request {
    /** Its lines bear the id of the request. */
    log: Log;
  }
}

/** A request id that a proxy sent may be kept: no more than an id, so that nothing can be smuggled into the log. */
const acceptableRequestId = /^[\w.-]{8,64}$/;

/**
 * The log: one JSON object a line, on standard error. Of an error it tells type, message and stack, and not the
 * values of its query, which may be secrets.
 */
export function createLogger(level: Config['logLevel']): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    // A write for each line would cost as much as all the rest of the log. What waits is written before an exit.
    pino.destination({ dest: 2, sync: false, minLength: 4_096, periodicFlush: 100 }),
  );
}

/** Gives each request its id and its log, and logs it when it has ended: no headers, no query, no body. */
export function logRequests(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const start = Date.now();
    const id = requestId(req);
    const log = withRequestId(logger, id);
    req.log = log;
    res.setHeader('X-Request-Id', id);
    // Without a listener an answer that fails would end the process.
    res.on('error', (err) => log.error({ err }, 'answer failed'));
    // Every answer closes, whole or broken off.
    res.on('close', () => {
      const level = res.statusCode >= 500 ? 'error' : 'info';
      const path = req.originalUrl.split('?', 1)[0];
      const ms = Date.now() - start;
      log[level]({ req: { method: req.method, path }, res: { status: res.statusCode }, ms }, 'request');
    });
    next();
  };
}

function requestId(req: Request): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && acceptableRequestId.test(given) ? given : randomUUID();
}

/** A log as a child of pino would be. Most requests log one line, and a child costs more than the line. */
function withRequestId(logger: Logger, id: string): Log {
  return {
    error: (details, message) => logger.error({ requestId: id, ...details }, message),
    warn: (details, message) => logger.warn({ requestId: id, ...details }, message),
    info: (details, message) => logger.info({ requestId: id, ...details }, message),
  };
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}
