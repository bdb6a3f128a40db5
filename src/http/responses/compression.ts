import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline, type Writable } from 'node:stream';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from 'node:zlib';
import type { Request, Response } from 'express';
import type { Operation } from '../../contract/operation.ts';
import { qualityOf } from '../requests/preferences.ts';
import { namesTag } from './conditional.ts';

export type Coding = 'br' | 'gzip';

/** What is shorter is not compressed: it fits into one packet either way. */
export const minBytes = 1024;

// A list of 100,000 issues shrinks to an eighth. Higher levels take several times as long for a tenth less.
const gzipOptions = { level: 4, chunkSize: 64 * 1024 };
const brotliOptions: BrotliOptions = {
  chunkSize: 64 * 1024,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    // The default window of 4 MB would be allocated for each response.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
};

/**
 * Reports whether the answers of an operation may be compressed. The length of a compressed text tells an eavesdropper
 * how similar its parts are, so a secret must not stand beside text that others choose (https://breachattack.com). Only
 * changes answer with new secrets, and their answers are short.
 */
export function isCompressible({ method, answers, confidential }: Operation): boolean {
  return method === 'GET' && answers === undefined && confidential !== true;
}

/** Returns the coding that the client prefers, or undefined to send the text as it is. */
export function negotiateCoding(req: Request, res: Response): Coding | undefined {
  res.vary('Accept-Encoding');
  const header = String(req.headers['accept-encoding'] ?? '');
  if (header === '') return undefined;
  const brotli = qualityOf(header, ['br', '*']) ?? 0;
  const zipped = qualityOf(header, ['gzip', 'x-gzip', '*']) ?? 0;
  const identity = qualityOf(header, ['identity']) ?? 0;
  const best = Math.max(brotli, zipped);
  if (best === 0 || identity > best) return undefined;
  return brotli === best ? 'br' : 'gzip';
}

/** Compresses a whole text, in another thread. */
export async function compress(bytes: Uint8Array, coding: Coding): Promise<Buffer> {
  return coding === 'br'
    ? await promisify(brotliCompress)(bytes, brotliOptions)
    : await promisify(gzip)(bytes, gzipOptions);
}

/** Returns a stream that compresses what is written to it into the response, no faster than the client reads. */
export function compressInto(res: ServerResponse, coding: Coding): Writable {
  const encoder = coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
  // If either ends early, so does the other. The writer finds out from the stream.
  pipeline(encoder, res, () => {});
  return encoder;
}

/** Sends a body. The response has its other headers already. */
export type SendBody = (req: Request, res: Response) => Promise<void>;

/** Returns what sends the same bytes to everybody, compressed once: anybody may ask without signing in. */
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
    const coding = bytes.length < minBytes ? undefined : negotiateCoding(req, res);
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
