import express, { type Request, type Response } from 'express';
import { BackofficeError } from '../contract/errors.ts';

/** 1 MiB (design, "Input and failure"). */
const maximumBytes = 1024 * 1024;

export const tooLarge = {
  code: 'too_large',
  text: 'The request body must not be larger than 1 MiB.',
} as const;
export const unsupported = {
  code: 'unsupported_encoding',
  text: 'The request body must be JSON in UTF-8, without a content encoding.',
} as const;

const readRaw = express.raw({ type: () => true, limit: maximumBytes, inflate: false });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads and parses the JSON body of a request, whatever its content type is called. Nothing of the body is read
 * before this is called.
 *
 * @throws BackofficeError `too_large`, `unsupported_encoding`, or `failed` for one that is not JSON (contract
 *   section 7: an unparseable body is a 500)
 */
export async function readJsonBody(req: Request, res: Response): Promise<unknown> {
  if (declaresOtherCharset(req)) throw new BackofficeError(unsupported);
  // body-parser would read such a body to its end before it says so.
  if (Number(req.headers['content-length']) > maximumBytes) throw new BackofficeError(tooLarge);
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const bytes = await readBytes(req, res);
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

async function readBytes(req: Request, res: Response): Promise<Uint8Array> {
  await new Promise<void>((resolve, reject) => {
    readRaw(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(toError(error))));
  });
  // Undefined where the request has no body at all.
  return req.body ?? new Uint8Array();
}

/** body-parser's errors bear a status; the ones that a client can mend have words of their own here. */
function toError(error: unknown): unknown {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return new BackofficeError(tooLarge, { cause: error });
  if (status === 415) return new BackofficeError(unsupported, { cause: error });
  return new BackofficeError(
    { code: 'failed', text: 'The request body could not be read.' },
    { cause: error },
  );
}
