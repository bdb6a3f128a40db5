import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler } from 'express';
import { BackofficeError, type DocumentedError } from '../contract/errors.ts';
import { bearerOf } from './sessions/cookie.ts';

/** How long a browser may remember the answer to a preflight, in seconds. Chromium remembers at most two hours. */
const maxAgeSeconds = 7200;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The request headers that the API reads. Those that a browser may send without asking are not in the list. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Prefer',
  'X-Request-Id',
];

/** The response headers that a page may read, besides those that browsers always show. */
const responseHeaders = [
  'Allow',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Mcp-Session-Id',
  'Preference-Applied',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/**
 * Lets pages of the given origins call the API (https://fetch.spec.whatwg.org/#http-cors-protocol), and
 * answers their preflights. They send the session cookie from the same site only: it is SameSite=Strict.
 */
export function allowOrigins(origins: ReadonlySet<string>, other: CorsOptions = {}): RequestHandler {
  const options: CorsOptions = {
    // The origin of the request, which is one of the allowed ones.
    origin: true,
    credentials: true,
    methods,
    allowedHeaders: requestHeaders,
    exposedHeaders: responseHeaders,
    maxAge: maxAgeSeconds,
    ...other,
  };
  const answerPreflight = cors(options);
  const addHeaders = cors({ ...options, preflightContinue: true });
  return (req, res, next) => {
    if (origins.size === 0) return next();
    res.vary('Origin');
    if (!origins.has(req.headers.origin ?? '')) next();
    else if (isPreflight(req)) answerPreflight(req, res, next);
    else addHeaders(req, res, next);
  };
}

/** An OPTIONS request without this header asks for the methods of a resource. */
function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

export const crossOriginError = {
  code: 'forbidden',
  text: 'Requests from another origin are not allowed.',
} as const;

/**
 * Rejects a change that a page of another origin sends through a signed-in browser. Browsers name the source
 * of a request in `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), older ones in `Origin`. Other
 * programs send neither, and no browser sends a token by itself.
 */
export function rejectCrossOrigin(
  req: Request,
  allowed: ReadonlySet<string>,
  refusal: DocumentedError = crossOriginError,
): void {
  if (req.method === 'GET' || req.method === 'HEAD' || bearerOf(req) !== undefined) return;
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (origin !== undefined && allowed.has(origin)) return;
  const isOwn =
    site === undefined
      ? origin === undefined || URL.parse(origin)?.host === req.host
      : site === 'same-origin' || site === 'none';
  if (!isOwn) throw new BackofficeError(refusal);
}
