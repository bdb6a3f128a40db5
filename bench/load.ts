import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';
import { z } from 'zod';
import type { Contender } from './servers/contender.ts';

/** The request that a server is loaded with. */
export interface Request {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** The number of concurrent requests. Default 8. */
  readonly connections?: number;
  /** How many requests a second are sent. By default as many as are answered. */
  readonly rate?: number;
}

/**
 * Stands for a text in a header that differs in each request. autocannon takes a final bracket for the end of its
 * options.
 */
export const uniqueText = '[<id>]-';

/** The number of concurrent requests, unless a request says otherwise. */
export const defaultConnections = 8;

const autocannon = new URL(import.meta.resolve('autocannon')).pathname;

/** A 304 is an answer too. */
const report = z
  .object({ '2xx': z.int(), '3xx': z.int(), non2xx: z.int(), errors: z.literal(0), duration: z.number() })
  .refine((counted) => counted.non2xx === counted['3xx'], { error: 'Some answers were errors.' });

/** Loads a server with autocannon, in another process, and returns the answered requests per second. */
export async function measureRate(contender: Contender, request: Request, seconds: number): Promise<number> {
  const headers = Object.entries(headersOf(contender, request));
  const { stdout } = await promisify(execFile)(process.execPath, [
    autocannon,
    ...[
      '--json',
      '--no-progress',
      '--connections',
      String(request.connections ?? defaultConnections),
      '--duration',
      String(seconds),
    ],
    ...(request.rate === undefined ? [] : ['--overallRate', String(request.rate)]),
    ...['--method', request.method],
    ...(headers.some(([, value]) => value.includes(uniqueText)) ? ['--idReplacement'] : []),
    ...headers.flatMap(([name, value]) => ['-H', `${name}=${value}`]),
    ...(request.body === undefined ? [] : ['--body', request.body]),
    contender.url + request.path,
  ]);
  const { '2xx': whole, '3xx': notModified, duration } = report.parse(JSON.parse(stdout));
  return (whole + notModified) / duration;
}

/** @throws if the answers of two servers differ in more than the ids of new rows and the place of the next page */
export async function checkSameAnswer(a: Contender, b: Contender, request: Request): Promise<void> {
  const [first, second] = await Promise.all([a, b].map((contender) => answerOf(contender, request)));
  if (!isDeepStrictEqual(first, second)) {
    throw new Error(`${request.method} ${request.path}: the answers of the two servers differ.`);
  }
}

async function answerOf(contender: Contender, request: Request): Promise<unknown> {
  const { method, path, body = null } = request;
  const response = await fetch(contender.url + path, {
    method,
    body,
    headers: headersOf(contender, request),
  });
  const { nextCursor: _, ...answer } = (await response.json()) as { id?: number; nextCursor?: string };
  return 'id' in answer ? { ...answer, id: typeof answer.id } : answer;
}

function headersOf(contender: Contender, { body }: Request): Record<string, string> {
  return { ...contender.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
}
