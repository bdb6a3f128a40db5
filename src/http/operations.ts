import type { Request, RequestHandler, Response } from 'express';
import { BackofficeError, unauthorized } from '../contract/errors.ts';
import { readsQuery } from '../contract/operation.ts';
import { type AnyOperation, operations } from '../contract/registry.ts';
import type { Services } from '../services/call/context.ts';
import { type Call, execute, toFailure } from '../services/call/execute.ts';
import { EventFeed } from '../services/events/feed.ts';
import { StreamedJson } from '../services/streaming/streamed-json.ts';
import { bodyLimitOf, readJsonBody } from './body.ts';
import { sendEvents } from './event-stream.ts';
import { refuseOtherOrigins } from './origin.ts';
import { sendError, sendJson, sendStreamed } from './responses.ts';
import type { Sessions } from './sessions/sessions.ts';

/** Milliseconds until a request is answered one way or the other. */
const deadline = 10_000;

const notFound = { code: 'not_found', text: 'There is no such endpoint.' } as const;
const methodNotAllowed = {
  code: 'method_not_allowed',
  text: 'This endpoint does not have that method.',
} as const;
const tooSlow = { code: 'failed', text: 'The service took too long to answer.' } as const;

/** The operations of each path, by their methods. */
const routes: ReadonlyMap<string, ReadonlyMap<string, AnyOperation>> = new Map(
  [...Map.groupBy(operations, (operation) => operation.path)].map(([path, there]) => [
    path,
    new Map(there.map((operation) => [operation.method, operation])),
  ]),
);

/** What stands for an operation where there is none. */
const unlisted = { id: 'unlisted' };

/** Serves every operation of the registry at its method and path; another spelling of a path is another path. */
export function serveOperations(services: Services, sessions: Sessions): RequestHandler {
  return async (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    const there = routes.get(req.baseUrl + req.path);
    const operation = there?.get(req.method);
    const late = new AbortController();
    const fail = (error: unknown) => sendError(res, toFailure(operation ?? unlisted, error, req.log));
    const timer = setTimeout(() => {
      // An answer that has begun goes on for as long as it is read.
      if (res.headersSent) return;
      req.log.error({ operation: operation?.id }, 'deadline exceeded');
      const error = new BackofficeError(tooSlow);
      fail(error);
      late.abort(error);
    }, deadline);
    try {
      if (operation === undefined) await refuse(there, req, res);
      else await serve(operation, req, res, late.signal);
    } catch (error) {
      if (!late.signal.aborted) fail(error);
    } finally {
      clearTimeout(timer);
    }
  };

  /** 401 without a session, like any other, and then what is wrong. */
  async function refuse(
    there: ReadonlyMap<string, AnyOperation> | undefined,
    req: Request,
    res: Response,
  ): Promise<never> {
    if (there !== undefined) res.setHeader('Allow', [...there.keys()].join(', '));
    const actor = await sessions.authenticate(req);
    if (actor === null) throw new BackofficeError(unauthorized);
    throw new BackofficeError(there === undefined ? notFound : methodNotAllowed);
  }

  async function serve(
    operation: AnyOperation,
    req: Request,
    res: Response,
    signal: AbortSignal,
  ): Promise<void> {
    const call: Call = {
      async authenticate() {
        const actor = await sessions.authenticate(req, operation.answers !== 'events');
        if (actor !== null || operation.allow.to === 'anyone') refuseOtherOrigins(req);
        return actor;
      },
      readInput: async () =>
        readsQuery(operation)
          ? queryOf(operation, req)
          : await readJsonBody(req, res, bodyLimitOf(operation)),
      session: sessions.port(req, res),
      address: req.ip ?? '',
      signal,
      log: req.log,
    };
    const output = await execute(operation, call, services);
    if (output instanceof EventFeed) await sendEvents(res, output);
    else if (output instanceof StreamedJson) await sendStreamed(res, output);
    else sendJson(res, 200, JSON.stringify(output));
  }
}

/** A stream is resumed by the header that browsers send; their address still has what it began with. */
function queryOf({ answers }: AnyOperation, { query, headers }: Request): unknown {
  const lastId = headers['last-event-id'];
  return answers === 'events' && lastId !== undefined ? { ...query, after: lastId } : query;
}
