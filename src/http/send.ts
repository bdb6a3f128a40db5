import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { BackofficeError } from '../contract/errors.ts';
import { problemType } from '../contract/problem.ts';
import type { StreamedJson } from '../services/streaming/streamed-json.ts';
import { atMost } from '../shared/wait.ts';
import { statusOf } from './error-status.ts';
import { prefersProblem, problemOf } from './problem.ts';
import { addVary } from './vary.ts';

/** How long a client may read nothing before it is disconnected. */
const stallTimeoutMs = 20_000;

const jsonType = 'application/json; charset=utf-8';

/** Sends a JSON text as the response. */
export function sendJson(res: ServerResponse, status: number, text: string, type = jsonType): void {
  if (res.headersSent || res.destroyed) return;
  // Encode once: Node would scan a string for its length, and again to write it with the headers.
  const body = Buffer.from(text);
  res.statusCode = status;
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

/**
 * Sends `{ error }`, or a problem document to a client that prefers it. If part of the response has been sent, closes the
 * connection instead, so that the client does not take that part for the whole.
 */
export function sendError(res: ServerResponse, error: BackofficeError): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { code, message, retryAfter } = error;
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  if (code === 'unauthenticated') res.setHeader('WWW-Authenticate', 'Bearer');
  // A client reads the 413 only after it has sent its body. Closing the connection earlier would lose the response.
  if (!res.req.complete && code !== 'too_large') res.setHeader('Connection', 'close');
  addVary(res, 'Accept');
  if (!prefersProblem(res.req.headers.accept)) {
    sendJson(res, statusOf[code], JSON.stringify({ error: message }));
    return;
  }
  const problem = problemOf(error, String(res.getHeader('X-Request-Id')));
  sendJson(res, problem.status, JSON.stringify(problem), problemType);
}

/**
 * Sends a text that is produced in pieces, no faster than the client reads. Holds back the last piece, so that a text
 * of one piece is sent with its length.
 */
export async function sendStreamed(res: ServerResponse, output: StreamedJson): Promise<void> {
  if (res.req.method === 'HEAD') {
    sendHeaders(res);
    return;
  }
  let held: string | undefined;
  async function write(text: string): Promise<boolean> {
    const piece = held;
    held = text;
    return piece === undefined || (await writePiece(res, piece));
  }
  await output.produce(write, { disconnect: () => res.destroy() });
  if (res.destroyed || held === undefined) return;
  if (res.headersSent) res.end(held);
  else sendJson(res, 200, held);
}

/** Answers a HEAD request without producing the text. Its length is unknown. */
function sendHeaders(res: ServerResponse): void {
  if (res.headersSent || res.destroyed) return;
  res.setHeader('Content-Type', jsonType);
  res.end();
}

/** Resolves with false if the client has left or has received another response, such as a timeout error. */
async function writePiece(res: ServerResponse, text: string): Promise<boolean> {
  if (!res.headersSent) res.setHeader('Content-Type', jsonType);
  return await writeWithin(stallTimeoutMs, res, text);
}

/**
 * Writes a piece of a response. Resolves when there is room for the next piece, with false if the client has left.
 * Disconnects a client that reads nothing for the given time.
 */
export async function writeWithin(timeoutMs: number, res: ServerResponse, text: string): Promise<boolean> {
  // A destroyed response never drains, and an ended one takes no more.
  if (res.destroyed || res.writableEnded) return false;
  if (res.write(text)) return true;
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const drained = Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]);
    if ((await atMost(timeoutMs, drained)) === undefined) res.destroy();
  } finally {
    settled.abort();
  }
  return !res.destroyed;
}
