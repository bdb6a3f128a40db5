import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { BackofficeError, ErrorCode } from '../contract/errors.ts';
import type { StreamedJson } from '../services/streaming/streamed-json.ts';

/** The status of each kind of error (contract section 7; design, "Input and failure"). */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  invalid: 400,
  conflict: 409,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_encoding: 415,
  rate_limited: 429,
  busy: 503,
  failed: 500,
};

/** Milliseconds that a reader may leave an answer untouched before its connection is given up. */
const stallLimit = 20_000;

/** Answers with a JSON text. */
export function sendJson(res: ServerResponse, status: number, text: string): void {
  if (res.headersSent || res.destroyed) return;
  // Encoded once: a string would be gone through for its length, and again with the headers before it.
  const body = Buffer.from(text);
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

/** Answers with `{ error }`. An answer that has begun can only be broken off, so that no reader takes it for whole. */
export function sendError(res: ServerResponse, error: BackofficeError): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error.retryAfter !== undefined) res.setHeader('Retry-After', error.retryAfter);
  // Whoever is sending too much reads the answer when it has sent; a connection that closes would take it along.
  if (!res.req.complete && error.code !== 'too_large') res.setHeader('Connection', 'close');
  sendJson(res, statusOf[error.code], JSON.stringify({ error: error.message }));
}

/**
 * Answers with a text that comes in pieces, waiting for the reader. The last piece is held back, so that a text of
 * one piece is sent whole, with its length.
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

/** Resolves with false when the reader is gone, or has been answered otherwise. */
async function writePiece(res: ServerResponse, text: string): Promise<boolean> {
  if (!res.headersSent) res.setHeader('Content-Type', 'application/json; charset=utf-8');
  return await writeInTime(res, text, stallLimit);
}

/**
 * Writes a part of an answer. Resolves when there is room for the next, with false when there is nobody to read it.
 *
 * @param stall - milliseconds that the reader may leave it untouched before its connection is given up
 */
export async function writeInTime(res: ServerResponse, text: string, stall: number): Promise<boolean> {
  // A destroyed response never drains, and one that has ended takes no more.
  if (res.destroyed || res.writableEnded) return false;
  if (res.write(text)) return true;
  const settled = new AbortController();
  const { signal } = settled;
  const stalled = setTimeout(() => res.destroy(), stall);
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]);
  settled.abort();
  clearTimeout(stalled);
  return !res.destroyed;
}
