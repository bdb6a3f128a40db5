import { type Request, type RequestHandler, type Response, Router } from 'express';
import { BackofficeError, intakeOnly, unauthorized } from '../contract/errors.ts';
import { anySession } from '../contract/operation.ts';
import type { Actor } from '../services/call/actor.ts';
import { toFailure } from '../services/call/failure.ts';
import { type Call, execute } from '../services/execute.ts';
import { StreamedJson } from '../services/streaming/streamed-json.ts';
import { crossOriginError } from './cors.ts';
import type { OperationRouterOptions } from './operation-router.ts';
import { requireStarted } from './readiness.ts';
import { bodyLimitOf, readJsonBody } from './requests/body.ts';
import { failInTime, startDeadline } from './requests/deadline.ts';
import { sendError, sendJson } from './responses/send.ts';
import { bearerOf } from './sessions/cookie.ts';
import type { Sessions } from './sessions/index.ts';

const path = '/api/mcp';

const methodNotAllowed = {
  code: 'method_not_allowed',
  text: 'This endpoint takes POST only: it has no sessions and no streams of its own.',
} as const;

export interface McpRouterOptions extends OperationRouterOptions {
  /** The operations that agents may run although they change data. */
  readonly allowed: ReadonlySet<string>;
  readonly version: string;
}

/** Serves the Model Context Protocol to agents with an API token (Streamable HTTP, without sessions). */
export function mcpRouter(options: McpRouterOptions): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  async function serve(req: Request, res: Response): Promise<void> {
    res.setHeader('Cache-Control', 'no-store');
    const fail = (error: unknown) => sendError(res, toFailure({ id: 'mcp' }, error, req.log));
    startDeadline(req, res, { name: 'mcp', fail, timeoutMs: options.timeoutMs });
    await answer(req, res, options);
    req.deadline.end();
  }
  router.all(path, serve, failInTime);
  return router;
}

async function answer(
  req: Request,
  res: Response,
  { services, sessions, readiness, corsOrigins, allowed, version }: McpRouterOptions,
): Promise<void> {
  await requireStarted(readiness);
  rejectBrowsers(req, corsOrigins);
  const actor = await authenticate(req, sessions);
  if (req.method !== 'POST') {
    res.setHeader('Allow', 'POST');
    throw new BackofficeError(methodNotAllowed);
  }
  const body = await readBody(req, res);
  // Loaded with the first request: a service without agents does not need it.
  const { answerExchange } = await import('../mcp/server.ts');
  const headers = new Headers(
    Object.entries(req.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  const { status, text } = await answerExchange(`http://localhost${path}`, headers, body, {
    version,
    allowed,
    howToAllow: (id) => `To allow it, the operator of the service sets BACKOFFICE_MCP_ALLOW=${id}.`,
    explain: (error) => toFailure({ id: 'mcp' }, error, req.log).message,
    deadline: req.deadline.signal,
    async run(operation, input, write, callSignal) {
      req.operation = operation.id;
      const call: Call = {
        authenticate: async () => actor,
        readInput: async () => input,
        // An agent learns from an error what it has mistyped.
        strict: true,
        session: sessions.port(req, res),
        address: req.ip ?? '',
        signal: callSignal,
        log: req.log,
      };
      const output = await execute(operation, call, services);
      if (!(output instanceof StreamedJson)) return await write(JSON.stringify(output));
      await output.produce(async (piece) => {
        await write(piece);
        return true;
      });
    },
  });
  if (text !== null) sendJson(res, status, text);
  else if (!res.headersSent) res.status(status).end();
}

/**
 * Rejects pages in a browser, unless their origin is allowed. A page that has made its own name point to this address
 * (DNS rebinding) is of the same origin as the service, so that does not make it trusted. Agents send no `Origin`.
 */
function rejectBrowsers({ headers: { origin } }: Request, allowed: ReadonlySet<string>): void {
  if (origin !== undefined && !allowed.has(origin)) throw new BackofficeError(crossOriginError);
}

/** Accepts a token only: a session belongs to a person. */
async function authenticate(req: Request, sessions: Sessions): Promise<Actor> {
  const actor = bearerOf(req) === undefined ? null : await sessions.authenticate(req);
  if (actor === null) throw new BackofficeError(unauthorized);
  if (actor.token?.isIntake) throw new BackofficeError(intakeOnly);
  return { ...actor, door: 'mcp' };
}

/** Returns the parsed body, or undefined if it is not JSON, for which the protocol has an error of its own. */
async function readBody(req: Request, res: Response): Promise<unknown> {
  try {
    return await readJsonBody(req, res, bodyLimitOf({ allow: anySession }));
  } catch (error) {
    if (error instanceof BackofficeError && error.cause instanceof SyntaxError) return undefined;
    throw error;
  }
}
