import express, { type Request, type RequestHandler, type Response } from 'express';
import { BackofficeError, type DocumentedError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';

/** How large a body may be. */
export interface BodyLimit {
  readonly bytes: number;
  /** What the sender of a larger one is told. */
  readonly tooLarge: DocumentedError;
  readonly readRaw: RequestHandler;
}

/** Whoever is known may send 1 MiB (design, "Input and failure"). */
const ofTheKnown = limitOf(1024 * 1024, '1 MiB');
/**
 * What anyone may send is parsed before anything bounds how often. The longest credentials fit, each character escaped.
 */
const ofAnyone = limitOf(16 * 1024, '16 KiB');

export const unsupported = {
  code: 'unsupported_encoding',
  text: 'The request body must be JSON in UTF-8, without a content encoding.',
} as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** How large the body of an operation may be, by who may call it. */
export function bodyLimitOf({ allow }: Pick<Operation, 'allow'>): BodyLimit {
  return allow.to === 'anyone' ? ofAnyone : ofTheKnown;
}

function limitOf(bytes: number, name: string): BodyLimit {
  return {
    bytes,
    tooLarge: { code: 'too_large', text: `The request body must not be larger than ${name}.` },
    readRaw: express.raw({ type: () => true, limit: bytes, inflate: false }),
  };
}

/**
 * Reads and parses the JSON body of a request, whatever its content type is called. Nothing of the body is read
 * before this is called.
 *
 * @throws BackofficeError `too_large`, `unsupported_encoding`, or `failed` for one that is not JSON (contract
 *   section 7: an unparseable body is a 500)
 */
export async function readJsonBody(req: Request, res: Response, limit: BodyLimit): Promise<unknown> {
  if (declaresOtherCharset(req)) throw new BackofficeError(unsupported);
  // body-parser would read such a body to its end before it says so.
  if (Number(req.headers['content-length']) > limit.bytes) throw new BackofficeError(limit.tooLarge);
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const bytes = await readBytes(req, res, limit);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new BackofficeError(unsupported, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BackofficeError({ code: 'failed', text: (cause as SyntaxError).message }, { cause });
  }
}

function declaresOtherCharset(req: Request): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.headers['content-type'] ?? '')?.[1];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
}

async function readBytes(req: Request, res: Response, limit: BodyLimit): Promise<Uint8Array> {
  await new Promise<void>((resolve, reject) => {
    limit.readRaw(req, res, (error?: unknown) =>
      error === undefined ? resolve() : reject(toError(error, limit)),
    );
  });
  // Undefined where the request has no body at all.
  return req.body ?? new Uint8Array();
}

/** body-parser's errors bear a status; the ones that a client can mend have words of their own here. */
function toError(error: unknown, { tooLarge }: BodyLimit): unknown {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return new BackofficeError(tooLarge, { cause: error });
  if (status === 415) return new BackofficeError(unsupported, { cause: error });
  return new BackofficeError(
    { code: 'failed', text: 'The request body could not be read.' },
    { cause: error },
  );
}
