import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { BackofficeError } from '../contract/errors.ts';
import type { StreamedJson } from '../services/streaming/streamed-json.ts';
import { atMost } from '../shared/wait.ts';
import { statusOf } from './error-status.ts';

/** How long a client may read nothing before it is disconnected. */
const stallTimeoutMs = 20_000;

/** Sends a JSON text as the response. */
export function sendJson(res: ServerResponse, status: number, text: string): void {
  if (res.headersSent || res.destroyed) return;
  // Encode once: Node would scan a string for its length, and again to write it with the headers.
  const body = Buffer.from(text);
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

/**
 * Sends `{ error }`. If part of the response has been sent, closes the connection instead, so that the client does not
 * take that part for the whole.
 */
export function sendError(res: ServerResponse, error: BackofficeError): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error.retryAfter !== undefined) res.setHeader('Retry-After', error.retryAfter);
  // A client reads the 413 only after it has sent its body. Closing the connection earlier would lose the response.
  if (!res.req.complete && error.code !== 'too_large') res.setHeader('Connection', 'close');
  sendJson(res, statusOf[error.code], JSON.stringify({ error: error.message }));
}

/**
 * Sends a text that is produced in pieces, no faster than the client reads. Holds back the last piece, so that a text
 * of one piece is sent with its length.
 */
export async function sendStreamed(res: ServerResponse, output: StreamedJson): Promise<void> {
  let held: string | undefined;
  async function write(text: string): Promise<boolean> {
    const piece = held;
    held = text;
    return piece === undefined || (await writePiece(res, piece));
  }
  await output.produce(write, () => res.destroy());
  if (res.destroyed || held === undefined) return;
  if (res.headersSent) res.end(held);
  else sendJson(res, 200, held);
}

/** Resolves with false if the client has left or has received another response, such as a timeout error. */
async function writePiece(res: ServerResponse, text: string): Promise<boolean> {
  if (!res.headersSent) res.setHeader('Content-Type', 'application/json; charset=utf-8');
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
