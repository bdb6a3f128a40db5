import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Coding, compress, isWorthCompressing, negotiateCoding } from './compression.ts';
import { namesTag } from './conditional.ts';

/** Sends a body. The response has its other headers already. */
export type SendBody = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/**
 * Returns what sends the same bytes to everybody. They are compressed once: to compress costs far more than to send, and
 * anybody may ask without signing in.
 */
export function constantBody(bytes: Buffer): SendBody {
  const tag = hash('sha256', bytes, 'base64url').slice(0, 22);
  const compressed = new Map<Coding, Promise<Buffer>>();

  function compressOnce(coding: Coding): Promise<Buffer> {
    const known = compressed.get(coding);
    if (known !== undefined) return known;
    const compressing = compress(bytes, coding);
    compressed.set(coding, compressing);
    compressing.catch(() => compressed.delete(coding));
    return compressing;
  }

  return async (req, res) => {
    const coding = isWorthCompressing(bytes) ? negotiateCoding(req, res) : undefined;
    res.setHeader('ETag', `W/"${tag}"`);
    if (namesTag(req.headers['if-none-match'], tag)) {
      res.statusCode = 304;
      res.end();
      return;
    }
    // The length of the compressed bytes is not worth compressing them for HEAD.
    const isLengthKnown = coding === undefined || req.method !== 'HEAD';
    const body = coding === undefined || !isLengthKnown ? bytes : await compressOnce(coding);
    if (res.headersSent || res.destroyed) return;
    if (coding !== undefined) res.setHeader('Content-Encoding', coding);
    if (isLengthKnown) res.setHeader('Content-Length', body.length);
    res.end(body);
  };
}
