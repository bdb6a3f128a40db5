import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, pino } from 'pino';
import { pinoHttp } from 'pino-http';
import type { Config } from '../config.ts';

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

/** Gives each request its id and logs it when it has ended: no headers, no query, no body. */
export function logRequests(logger: Logger) {
  return pinoHttp<IncomingMessage & { originalUrl?: string }, ServerResponse>({
    logger,
    quietReqLogger: true,
    genReqId(req, res) {
      const given = req.headers['x-request-id'];
      const id = typeof given === 'string' && acceptableRequestId.test(given) ? given : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: (req: { method: string; url: string }) => ({ method: req.method, path: req.url.split('?', 1)[0] }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
      err: describeError,
    },
    customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    customAttributeKeys: { reqId: 'requestId', responseTime: 'ms' },
  });
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}
