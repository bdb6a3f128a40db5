import { type Request, type RequestHandler, type Response, Router } from 'express';
import { BackofficeError, unauthorized } from '../contract/errors.ts';
import { type AnyOperation, operations } from '../contract/index.ts';
import { readsQuery } from '../contract/operation.ts';
import type { Services } from '../services/context.ts';
import { type Call, execute, toFailure } from '../services/execute.ts';
import { StreamedJson } from '../services/streamed-json.ts';
import { readJsonBody } from './body.ts';
import { refuseOtherOrigins } from './origin.ts';
import { sendError, sendJson, sendStreamed } from './responses.ts';
import type { Sessions } from './sessions.ts';

/** Milliseconds until a request is answered one way or the other. */
const deadline = 10_000;

const notFound = { code: 'not_found', text: 'There is no such endpoint.' } as const;
const methodNotAllowed = {
  code: 'method_not_allowed',
  text: 'This endpoint does not have that method.',
} as const;
const tooSlow = { code: 'failed', text: 'The service took too long to answer.' } as const;

/** The operations of each path, by their methods. */
const routes = Map.groupBy(operations, (operation) => operation.path) as ReadonlyMap<string, AnyOperation[]>;

/** Serves every operation of the registry at its method and path. */
export function operationRouter(services: Services, sessions: Sessions): Router {
  // A router does not inherit these from its app: another spelling of a path is another path.
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, there] of routes) {
    const byMethod = new Map<string, AnyOperation>(there.map((operation) => [operation.method, operation]));
    const allow = [...byMethod.keys()].join(', ');
    router.all(path, async (req, res) => {
      const operation = byMethod.get(req.method);
      if (operation !== undefined) return await serve(operation, req, res);
      res.setHeader('Allow', allow);
      await refuse(methodNotAllowed)(req, res, () => {});
    });
  }
  router.use('/api/admin', refuse(notFound));
  return router;

  async function serve(operation: AnyOperation, req: Request, res: Response): Promise<void> {
    const call: Call = {
      async authenticate() {
        const actor = await sessions.authenticate(req);
        if (actor !== null || operation.allow.to === 'anyone') refuseOtherOrigins(req);
        return actor;
      },
      readInput: async () => (readsQuery(operation) ? req.query : await readJsonBody(req, res)),
      session: sessions.port(req, res),
      address: req.ip ?? '',
      log: req.log,
    };
    const late = setTimeout(() => {
      req.log.error({ operation: operation.id }, 'deadline exceeded');
      if (!res.headersSent) sendError(res, toFailure(operation, new BackofficeError(tooSlow), req.log));
    }, deadline);
    try {
      const output = await execute(operation, call, services);
      if (output instanceof StreamedJson) await sendStreamed(res, output);
      else sendJson(res, 200, JSON.stringify(output));
    } catch (error) {
      sendError(res, toFailure(operation, error, req.log));
    } finally {
      clearTimeout(late);
    }
  }

  /** For a request that no operation serves: 401 without a session, like any other, and then what is wrong. */
  function refuse(error: typeof notFound | typeof methodNotAllowed): RequestHandler {
    return async (req, res) => {
      const actor = await sessions.authenticate(req);
      sendError(res, new BackofficeError(actor === null ? unauthorized : error));
    };
  }
}
