import { type BackofficeError, errorCodes } from '../../contract/errors.ts';
import type { Problem } from '../../contract/problem.ts';
import { problemType } from '../../contract/vocabulary.ts';
import { qualityOf } from '../requests/preferences.ts';
import { statusOf } from './error-status.ts';

/** Where the codes are explained. */
export const errorsPath = '/api/docs/errors';

/** Describes an error of a request as a problem document. */
export function problemOf(
  { code, message, param }: BackofficeError,
  requestId: string,
  prefix = '',
): Problem {
  return {
    type: `${prefix}${errorsPath}#${code}`,
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
  const [problem = 0, json = 0] = [
    qualityOf(accept, [problemType, 'application/*', '*/*']),
    qualityOf(accept, ['application/json', 'application/*', '*/*']),
  ];
  return problem > json;
}
