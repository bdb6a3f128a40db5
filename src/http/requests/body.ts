import { promisify } from 'node:util';
import express, { type Request, type Response } from 'express';
import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { takenOf } from '../../services/incoming/mail-reader.ts';

interface BodyLimit {
  readonly maxBytes: number;
  readonly tooLarge: DocumentedError;
  readonly readRaw: (req: Request, res: Response) => Promise<void>;
}

/** The limit for authenticated callers (design, "Input and failure"). */
const defaultLimit = createLimit(1024 * 1024, '1 MiB');
/** For operations without authentication, before any rate limit. The longest credentials fit, also escaped. */
const unauthenticatedLimit = createLimit(16 * 1024, '16 KiB');
/** Of a mail that is larger than what is kept, the header says who has sent it. */
const mailLimit = createLimit(64 * 1024 * 1024, '64 MiB');

export const unsupportedEncoding = {
  code: 'unsupported_encoding',
  text: 'The request body must be JSON in UTF-8, without a content encoding.',
} as const;

/** The error for a client that does not send the body that it announced. */
export const bodyTimedOut = {
  code: 'request_timeout',
  text: 'The request body did not arrive in time. Send the request again.',
} as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** For the texts of visitors: 20,000 characters of four bytes fit, also escaped as in a form. */
const contactLimit = createLimit(256 * 1024, '256 KiB');

/** Returns the size limit of an operation's body, which depends on who may call it. */
export function bodyLimitOf({
  allow,
  load,
  takesMail,
}: Pick<Operation, 'allow' | 'load' | 'takesMail'>): BodyLimit {
  if (load === 'contact') return contactLimit;
  if (takesMail) return mailLimit;
  return allow.to === 'anyone' ? unauthenticatedLimit : defaultLimit;
}

function createLimit(maxBytes: number, name: string): BodyLimit {
  return {
    maxBytes,
    tooLarge: { code: 'too_large', text: `The request body must not be larger than ${name}.` },
    readRaw: promisify(express.raw({ type: () => true, limit: maxBytes, inflate: false })),
  };
}

/**
 * Reads and parses the JSON body, of any content type.
 *
 * @param unparseable - the error for a body that is not JSON; by default a 500 with the parser's message (contract section 7)
 */
export async function readJsonBody(
  req: Request,
  res: Response,
  limit: BodyLimit,
  unparseable?: DocumentedError,
): Promise<unknown> {
  const text = await readBodyText(req, res, limit);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const error = unparseable ?? { code: 'failed', text: (cause as SyntaxError).message };
    throw new BackofficeError(error, { cause });
  }
}

/** Reads the body as a text in UTF-8. */
export async function readBodyText(req: Request, res: Response, limit: BodyLimit): Promise<string> {
  if (declaresOtherCharset(req)) throw new BackofficeError(unsupportedEncoding);
  const bytes = await readBody(req, res, limit);
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new BackofficeError(unsupportedEncoding, { cause });
  }
}

/** Reports whether the body is a mail and not JSON. */
export const isMail = (req: Request) => /^message\/rfc822\b/i.test(req.headers['content-type'] ?? '');

/** Reads a mail as the input of `mail.receive`. */
export async function readMailBody(req: Request, res: Response, limit: BodyLimit): Promise<unknown> {
  const { raw, size } = takenOf(Buffer.from(await readBody(req, res, limit)));
  return { message: raw.toString('base64'), size };
}

async function readBody(req: Request, res: Response, limit: BodyLimit): Promise<Uint8Array> {
  // body-parser would read the whole body before it rejects it.
  if (Number(req.headers['content-length']) > limit.maxBytes) throw new BackofficeError(limit.tooLarge);
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return await readBytes(req, res, limit);
}

/** Reports whether the body is being read and has not arrived. */
export function isBodyMissing(req: Request): boolean {
  return req.readableFlowing === true && !req.complete;
}

function declaresOtherCharset(req: Request): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.headers['content-type'] ?? '')?.[1];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
}

async function readBytes(req: Request, res: Response, limit: BodyLimit): Promise<Uint8Array> {
  try {
    await limit.readRaw(req, res);
  } catch (error) {
    throw toError(error, limit);
  }
  // Undefined if the request has no body.
  return req.body ?? new Uint8Array();
}

/** Converts an error of body-parser, which has a status. Errors that a client can fix get our own texts. */
function toError(error: unknown, { tooLarge }: BodyLimit): BackofficeError {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return new BackofficeError(tooLarge, { cause: error });
  if (status === 415) return new BackofficeError(unsupportedEncoding, { cause: error });
  return new BackofficeError(
    { code: 'failed', text: 'The request body could not be read.' },
    { cause: error },
  );
}
