import { type BackofficeError, errorCodes } from '../contract/errors.ts';
import { type Problem, problemType } from '../contract/problem.ts';
import { statusOf } from './error-status.ts';

/** Where the codes are explained. */
export const errorsPath = '/api/docs/errors';

/** Describes an error as a problem document. */
export function problemOf({ code, message, param }: BackofficeError, requestId: string): Problem {
  return {
    type: `${errorsPath}#${code}`,
    title: errorCodes[code],
    status: statusOf[code],
    detail: message,
    code,
    ...(param === undefined ? {} : { param }),
    request_id: requestId,
  };
}

/**
 * Reports whether an `Accept` header prefers a problem document to JSON. Equal preference is not enough: clients that
 * accept everything expect `{ error }`.
 */
export function prefersProblem(accept = ''): boolean {
  if (!accept.toLowerCase().includes(problemType)) return false;
  const ranges = accept.split(',').map(parseRange);
  return qualityOf(ranges, problemType) > qualityOf(ranges, 'application/json');
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
  const value = quality === undefined ? 1 : Number.parseFloat(quality);
  return { type, quality: value >= 0 && value <= 1 ? value : 0 };
}

/** The most specific range that matches decides (RFC 9110, 12.5.1). */
function qualityOf(ranges: readonly MediaRange[], type: string): number {
  for (const candidate of [type, 'application/*', '*/*']) {
    const range = ranges.find((each) => each.type === candidate);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
