import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { BackofficeError, invalidField, notJson, unauthorized } from '../contract/errors.ts';
import { fieldNamesOf } from '../contract/field-names.ts';
import { isOfContract, type Operation, readsQuery } from '../contract/operation.ts';
import { type AnyOperation, operations } from '../contract/registry.ts';
import type { Actor } from '../services/call/actor.ts';
import { toFailure } from '../services/call/failure.ts';
import { fieldsOf, Pending } from '../services/call/validate.ts';
import type { Services } from '../services/context.ts';
import { EventFeed } from '../services/events/feed.ts';
import { type Call, execute } from '../services/execute.ts';
import { FileAnswer } from '../services/streaming/file-answer.ts';
import { StreamedJson } from '../services/streaming/streamed-json.ts';
import { rejectCrossOrigin } from './cors.ts';
import { type Readiness, requireStarted } from './readiness.ts';
import { prefixOf } from './requests/base-path.ts';
import { bodyLimitOf, isMail, readJsonBody, readMailBody } from './requests/body.ts';
import { failInTime, startDeadline } from './requests/deadline.ts';
import { isBackground, prefersStrict } from './requests/preferences.ts';
import { isCompressible, negotiateCoding } from './responses/compression.ts';
import { createValidator } from './responses/conditional.ts';
import { answerLater, canWait, sendEvents } from './responses/event-stream.ts';
import { methodNotAllowed, notFound, statusOfSuccess } from './responses/problem.ts';
import { sendError, sendFile, sendJson, sendStreamed, sendText } from './responses/send.ts';
import type { Sessions } from './sessions/index.ts';

type OperationsByMethod = ReadonlyMap<string, AnyOperation>;

const routes: ReadonlyMap<string, OperationsByMethod> = new Map(
  [...Map.groupBy(operations, ({ path }) => path)].map(([path, samePath]) => [
    path,
    new Map(samePath.flatMap((operation) => methodsOf(operation).map((method) => [method, operation]))),
  ]),
);

/** Whether a request may sign in: only what is open to anyone does. */
function mayStartSession(req: Request): boolean {
  return operationsAt(req)?.get(req.method)?.allow.to === 'anyone';
}

function operationsAt({ baseUrl, path }: Request): OperationsByMethod | undefined {
  return routes.get(baseUrl + path);
}

/** Whatever answers GET also answers HEAD. */
function methodsOf({ method }: AnyOperation): readonly string[] {
  return method === 'GET' ? [method, 'HEAD'] : [method];
}

export interface OperationRouterOptions {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly readiness: Readiness;
  /** The other origins whose pages may call the API. */
  readonly corsOrigins: ReadonlySet<string>;
  /** How long a request may take until its response starts. */
  readonly timeoutMs?: number | undefined;
}

/** Serves every operation of the registry at its method and path. Paths must match exactly. */
export function operationRouter({
  services,
  sessions,
  readiness,
  corsOrigins,
  timeoutMs,
}: OperationRouterOptions): RequestHandler {
  const router = Router();
  router.use(begin, sessions.middleware(mayStartSession), answer, failInTime);
  return router;

  async function begin(req: Request, res: Response, next: NextFunction): Promise<void> {
    res.setHeader('Cache-Control', 'no-store');
    const operation = operationsAt(req)?.get(req.method);
    req.operation = operation?.id;
    const fail = (error: unknown) => {
      const failure = toFailure(operation ?? { id: 'unlisted' }, error, req.log);
      if (operation?.answers === 'events' && canWait(req, failure)) answerLater(res, failure);
      else sendError(res, failure);
    };
    startDeadline(req, res, { name: operation?.id, fail, timeoutMs });
    await requireStarted(readiness);
    next();
  }

  async function answer(req: Request, res: Response): Promise<void> {
    const byMethod = operationsAt(req);
    const operation = byMethod?.get(req.method);
    if (operation === undefined) await rejectUnlisted(byMethod, req, res);
    else await serve(operation, req, res);
    req.deadline.end();
  }

  /** Checks the session first, as for a listed operation. */
  async function rejectUnlisted(
    byMethod: OperationsByMethod | undefined,
    req: Request,
    res: Response,
  ): Promise<never> {
    if (byMethod !== undefined) res.setHeader('Allow', [...byMethod.keys()].join(', '));
    const actor = await sessions.authenticate(req);
    if (actor === null) throw new BackofficeError(unauthorized);
    throw new BackofficeError(byMethod === undefined ? notFound(prefixOf(req)) : methodNotAllowed);
  }

  async function serve(operation: AnyOperation, req: Request, res: Response): Promise<void> {
    const { pause: pauseDeadline } = req.deadline;
    const strict = prefersStrict(req.headers.prefer);
    if (strict) res.setHeader('Preference-Applied', 'handling=strict');
    const restartsIdleTime = operation.answers !== 'events' && !isBackground(req.headers.prefer);
    let caller: Actor | null = null;
    const call: Call = {
      async authenticate() {
        const actor = await sessions.authenticate(req, restartsIdleTime);
        if (actor !== null || operation.allow.to === 'anyone')
          rejectCrossOrigin(req, res.locals.corsOrigins ?? corsOrigins, res.locals.otherOrigin);
        caller = actor;
        return actor;
      },
      async readInput() {
        if (readsQuery(operation)) return queryOf(operation, req);
        if ((operation as Operation).takesMail && isMail(req))
          return await readMailBody(req, res, bodyLimitOf(operation));
        const unparseable = isOfContract(operation) ? undefined : notJson;
        return withId(operation, req, await readJsonBody(req, res, bodyLimitOf(operation), unparseable));
      },
      idempotencyKey: req.get('idempotency-key'),
      onReplay: () => res.setHeader('Idempotency-Replayed', 'true'),
      strict,
      ...circumstancesOf(req, res, sessions),
    };
    const coding = isCompressible(operation) ? negotiateCoding(req, res) : undefined;
    const output = await execute(operation, call, services);
    const validator = createValidator(operation, req, res, caller);
    if (output instanceof EventFeed) await sendEvents(res, output);
    else if (output instanceof FileAnswer) sendFile(res, output);
    else if (output instanceof StreamedJson)
      await sendStreamed(res, output, { coding, validator, url: req.originalUrl, pauseDeadline });
    else if (output instanceof Pending) sendJson(res, 202, JSON.stringify(output.answer));
    else if (statusOfSuccess(operation) !== 200)
      sendJson(res, statusOfSuccess(operation), JSON.stringify(output));
    else await sendText(res, JSON.stringify(output), { coding, validator });
  }
}

/** Adds the `id` of the query to the body of a DELETE, for clients that send it there. */
function withId({ inBody }: AnyOperation, { query }: Request, body: unknown): unknown {
  return inBody && typeof query.id === 'string' ? { id: query.id, ...fieldsOf(body) } : body;
}

const repeatedParameter = (name: string) =>
  invalidField(name, `${name} is given more than once. Send it once.`);

/**
 * Prefers the `Last-Event-ID` header: a browser that reconnects sends it, and repeats the `after` of its first URL.
 *
 * @throws BackofficeError for a parameter that the operation reads and that the query has more than once
 */
function queryOf({ answers, input }: AnyOperation, { query, headers }: Request): unknown {
  const known = fieldNamesOf(input);
  const repeated = Object.keys(query).find(
    (name) => Array.isArray(query[name]) && (known?.includes(name) ?? true),
  );
  if (repeated !== undefined) throw new BackofficeError(repeatedParameter(repeated));
  const lastId = headers['last-event-id'];
  return answers === 'events' && lastId !== undefined ? { ...query, after: lastId } : query;
}

/** Returns what a call knows of the request that makes it, besides who sends what. */
export function circumstancesOf(req: Request, res: Response, sessions: Sessions) {
  const origin = `${req.protocol}://${req.host}`;
  return {
    session: sessions.port(req, res),
    address: req.ip ?? '',
    origin,
    baseUrl: origin + prefixOf(req),
    signal: req.deadline.signal,
    log: req.log,
  };
}
