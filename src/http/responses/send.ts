import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Response } from 'express';
import type { BackofficeError } from '../../contract/errors.ts';
import { problemType } from '../../contract/vocabulary.ts';
import type { FileAnswer } from '../../services/streaming/file-answer.ts';
import type { PauseDeadline, StreamedJson } from '../../services/streaming/streamed-json.ts';
import { atMost } from '../../shared/waiting.ts';
import { prefixOf } from '../requests/base-path.ts';
import { type Coding, compress, compressInto, minBytes } from './compression.ts';
import { removeValidators, type Validator } from './conditional.ts';
import { prefersProblem, problemOf, statusOf } from './problem.ts';
import { nextLink } from './security-headers.ts';

/** How long a client may read nothing before it is disconnected. */
const stallTimeoutMs = 20_000;

const jsonType = 'application/json; charset=utf-8';

/** Sends a JSON text as the response. */
export function sendJson(res: Response, status: number, text: string, type = jsonType): void {
  if (res.headersSent || res.destroyed) return;
  // Encode once: Node would scan a string for its length, and again to write it with the headers.
  const body = Buffer.from(text);
  res.statusCode = status;
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

/** Sends a file that somebody else has made: as a download, and as a page that may do nothing if it is opened in spite of that. */
export function sendFile(res: Response, { content, mediaType, name }: FileAnswer): void {
  if (res.headersSent || res.destroyed) return;
  res.setHeader('Content-Type', mediaType);
  res.setHeader('Content-Length', content.length);
  const ascii = name.replaceAll(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  res.setHeader('Content-Disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`);
  res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.end(content);
}

interface TextOptions {
  readonly coding: Coding | undefined;
  readonly validator: Validator | undefined;
}

interface StreamOptions extends TextOptions {
  /** The URL of the request, which the link to the next page changes. */
  readonly url: string;
  readonly pauseDeadline: PauseDeadline;
}

/** Sends a JSON text as a success, compressed if the client accepts that and the text is long enough. */
export async function sendText(
  res: Response,
  text: string,
  { coding, validator }: TextOptions,
): Promise<void> {
  if (validator?.answersNotModified(text)) return;
  if (coding === undefined) return sendJson(res, 200, text);
  const bytes = Buffer.from(text);
  if (bytes.length < minBytes) return sendJson(res, 200, text);
  // The length of the compressed text is not worth compressing it for HEAD.
  const body = res.req.method === 'HEAD' ? undefined : await compress(bytes, coding);
  if (res.headersSent || res.destroyed) return;
  res.setHeader('Content-Type', jsonType);
  res.setHeader('Content-Encoding', coding);
  if (body !== undefined) res.setHeader('Content-Length', body.length);
  res.end(body);
}

/**
 * Sends `{ error }`, or a problem document to a client that prefers it. If part of the response has been sent, closes the
 * connection instead, so that the client does not take that part for the whole.
 */
export function sendError(res: Response, error: BackofficeError): void {
  if (res.headersSent) return void res.destroy();
  removeValidators(res);
  const { code, message, retryAfter } = error;
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  if (code === 'unauthenticated') res.setHeader('WWW-Authenticate', 'Bearer');
  // A client reads the 413 only after it has sent its body. Closing the connection earlier would lose the response.
  if (!res.req.complete && code !== 'too_large') res.setHeader('Connection', 'close');
  res.vary('Accept');
  if (!prefersProblem(res.req.headers.accept)) {
    sendJson(res, statusOf[code], JSON.stringify({ error: message }));
    return;
  }
  const problem = problemOf(error, String(res.getHeader('X-Request-Id')), prefixOf(res.req));
  sendJson(res, problem.status, JSON.stringify(problem), problemType);
}

/**
 * Sends a text that is produced in pieces, no faster than the client reads. Holds back the last piece, so that a text
 * of one piece is sent with its length.
 */
export async function sendStreamed(
  res: Response,
  output: StreamedJson,
  { coding, url, validator, pauseDeadline }: StreamOptions,
): Promise<void> {
  const { version, whole } = output;
  if (whole !== undefined) return await sendText(res, whole, { coding, validator });
  const isHead = res.req.method === 'HEAD';
  if (version !== undefined && validator !== undefined) {
    // Otherwise the version comes with the answer, which saves a query.
    const isNeeded = isHead || validator.isConditional || !version.comesWithAnswer;
    if (isNeeded && validator.answersNotModified(await version.read())) return;
  }
  if (isHead && version !== undefined) return sendHeaders(res);
  let held: string | undefined;
  let body: Writable | undefined;
  async function write(text: string): Promise<boolean> {
    const piece = held;
    held = text;
    if (piece === undefined) return true;
    // Only an answer of one piece has a length, and a tag of its text.
    if (isHead) {
      sendHeaders(res);
      return false;
    }
    body ??= openBody(res, coding);
    return await writeWithin(stallTimeoutMs, body, piece);
  }
  await output.produce(write, {
    disconnect: () => res.destroy(),
    onVersion: (told) => validator?.tag(told),
    onNext(next) {
      if (next !== null && !res.headersSent) res.setHeader('Link', nextLink(url, next));
    },
    pauseDeadline,
  });
  if (res.destroyed || res.writableEnded || held === undefined) return;
  if (body !== undefined) body.end(held);
  else await sendText(res, held, { coding, validator: version === undefined ? validator : undefined });
}

/** Answers a HEAD request without producing the text. Its length is unknown. */
function sendHeaders(res: Response): void {
  if (res.headersSent || res.destroyed) return;
  res.setHeader('Content-Type', jsonType);
  res.end();
}

/** Starts a response of unknown length. Returns what its text is written to. */
function openBody(res: Response, coding: Coding | undefined): Writable {
  // The client has left, or has received another response, such as a timeout error.
  if (res.headersSent || res.destroyed) return res;
  res.setHeader('Content-Type', jsonType);
  if (coding === undefined) return res;
  res.setHeader('Content-Encoding', coding);
  // The first compressed bytes come later, and an error response must not have these headers.
  res.flushHeaders();
  return compressInto(res, coding);
}

/**
 * Writes a piece of a response. Resolves when there is room for the next piece, with false if the client has left.
 * Disconnects a client that reads nothing for the given time.
 */
export async function writeWithin(timeoutMs: number, body: Writable, text: string): Promise<boolean> {
  // A destroyed response never drains, and an ended one takes no more.
  if (body.destroyed || body.writableEnded) return false;
  if (body.write(text)) return true;
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const drained = Promise.race([once(body, 'drain', { signal }), once(body, 'close', { signal })]);
    // A stream that compresses fails if the client leaves.
    const taken = atMost(timeoutMs, drained).catch(() => undefined);
    if ((await taken) === undefined) body.destroy();
  } finally {
    settled.abort();
  }
  return !body.destroyed;
}
