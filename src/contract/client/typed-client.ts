import { ExpectedError } from '../../shared/errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { AnsweredId, InputOf, OperationId, OutputOf } from '../registry.ts';
import type { Route } from '../route.ts';
import { problemType } from '../vocabulary.ts';
import { newIdempotencyKey, sendWithRetries } from './retry.ts';

export interface ClientOptions {
  /** The address of the service, such as `http://127.0.0.1:3000`. The empty string means the page's own origin. */
  readonly baseUrl: string;
  /** An API token, `bo_…`. Without one, `fetch` sends its session cookie. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

/** A response that is not a success. The message is the `error` text of the response. */
export class ResponseError extends ExpectedError {
  override readonly name = 'ResponseError';
  readonly status: number;
  /** Undefined if the service is older than its codes, or if a proxy has answered. A newer service may have others. */
  readonly code: ErrorCode | undefined;
  /** The field or parameter at fault, if there is one. */
  readonly param: string | undefined;
  /** After how many seconds the service asks to try again, if it does. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    text: string,
    details: Partial<Pick<ResponseError, 'code' | 'param' | 'retryAfter'>> = {},
  ) {
    super(text);
    this.status = status;
    this.code = details.code;
    this.param = details.param;
    this.retryAfter = details.retryAfter;
  }
}

/** An answer that no Backoffice service gives: another program listens at the address. */
export class ForeignAnswerError extends ExpectedError {
  override readonly name = 'ForeignAnswerError';

  /** What it is, such as `text/html`. */
  readonly answer: string;
  /** Where a redirect leads that was not followed. */
  readonly location: string | undefined;

  constructor(answer: string, location?: string) {
    super(`The answer is not from a Backoffice service: it is ${answer}.`);
    this.answer = answer;
    this.location = location;
  }
}

/** What a call takes after the id of its operation. */
type Call<Id extends OperationId> = [input?: InputOf<Id>, signal?: AbortSignal, idempotencyKey?: string];

export interface Client {
  /**
   * Calls an operation. Throws a `ResponseError` unless it succeeds. A POST has an `Idempotency-Key`, by default
   * a new one: it is retried if the connection or the service fails, and a caller that keeps the key can repeat it later.
   */
  call<Id extends AnsweredId>(id: Id, ...call: Call<Id>): Promise<OutputOf<Id>>;
  /** Calls an operation like `call` and returns the unread response, for lists that may be long. */
  request<Id extends OperationId>(id: Id, ...call: Call<Id>): Promise<Response>;
}

/** Creates a typed client of the API. It needs routes but no schemas, so that a browser need not load them. */
export function createTypedClient(
  routeOf: (id: OperationId) => Route,
  { baseUrl, token, fetch: send = fetch }: ClientOptions,
): Client {
  const client: Client = {
    async request(id, input, signal, idempotencyKey) {
      const { method, path, inQuery, takesKey, answers } = routeOf(id);
      const key = takesKey ? (idempotencyKey ?? newIdempotencyKey()) : undefined;
      const sendOnce = () =>
        send(`${baseUrl}${path}${inQuery ? queryString(input) : ''}`, {
          method,
          headers: {
            accept,
            // A mistyped parameter is an error, not ignored.
            prefer: 'handling=strict',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(inQuery ? {} : { 'content-type': 'application/json' }),
            ...(key === undefined ? {} : { 'idempotency-key': key }),
          },
          ...(inQuery ? {} : { body: JSON.stringify(input ?? {}) }),
          ...(signal === undefined ? {} : { signal }),
        });
      const response = await (key === undefined ? sendOnce() : sendWithRetries(sendOnce, signal));
      if (response.ok && answers === 'file') return response;
      if (response.ok)
        return ofType(answers === 'events' ? 'text/event-stream' : 'application/json', response);
      if (isRedirect(response)) throw foreign(response);
      const body: unknown = await response.json().catch(() => undefined);
      if (foreignStatuses.includes(response.status) && body === undefined) throw foreign(response);
      throw errorOf(response, body);
    },
    async call(id, ...call) {
      const response = await client.request(id, ...call);
      return (await response.json()) as OutputOf<typeof id>;
    },
  };
  return client;
}

/** With a page and not JSON, these say that another program listens: it does not know the path, or its method. */
const foreignStatuses: readonly number[] = [404, 405, 501];

/** Refuses a response of another media type: any program may answer 200, such as the sign-in of a network. */
function ofType(type: string, response: Response): Response {
  if (mediaTypeOf(response) !== type) throw foreign(response);
  return response;
}

function foreign(response: Response): ForeignAnswerError {
  void response.body?.cancel().catch(() => {});
  if (isRedirect(response))
    return new ForeignAnswerError('a redirect', response.headers.get('location') ?? undefined);
  return new ForeignAnswerError(mediaTypeOf(response) ?? 'something without a type');
}

/** Reports whether it is a redirect, as far as the caller's `fetch` has not followed it. */
function isRedirect({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has('location');
}

function mediaTypeOf({ headers }: Response): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

function queryString(input: object | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value !== undefined) query.append(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Errors as problem documents, which have codes. Older services answer `{ error }`. */
const accept = `${problemType}, application/json;q=0.9, */*;q=0.8`;

function errorOf({ status, headers }: Response, body: unknown): ResponseError {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  const { error, detail = error, code, param } = fields;
  return new ResponseError(
    status,
    typeof detail === 'string' ? detail : `The service answered with status ${status}.`,
    {
      ...(typeof code === 'string' ? { code: code as ErrorCode } : {}),
      ...(typeof param === 'string' ? { param } : {}),
      retryAfter: secondsOf(headers.get('retry-after')),
    },
  );
}

/** Reads a `Retry-After` header. Those of proxies may be dates, which say nothing here. */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
