import { type DocumentedError, invalidField } from './errors.ts';
import { type Method, type Operation, readsQuery } from './operation.ts';

export interface Route {
  readonly method: Method;
  readonly path: string;
  /** Whether the input is the query string, not a JSON body. */
  readonly inQuery: boolean;
  readonly takesKey: boolean;
  /** `events`: the answer is a stream of server-sent events; `file`: bytes; otherwise JSON. */
  readonly answers?: 'events' | 'file' | undefined;
}

export function routeOf(operation: Operation): Route {
  const { method, path, answers } = operation;
  return {
    method,
    path,
    inQuery: readsQuery(operation),
    takesKey: takesIdempotencyKey(operation),
    answers,
  };
}

export const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;

const header = 'Idempotency-Key';

export const idempotencyErrors = {
  invalidKey: invalidField(header, 'Idempotency-Key must have 1 to 255 printable ASCII characters.'),
  reused: {
    code: 'idempotency_key_reused',
    param: header,
    text: 'This Idempotency-Key was used for a different request.',
  },
  inUse: {
    code: 'idempotency_key_in_use',
    param: header,
    text: 'The first request with this Idempotency-Key is still running.',
  },
} as const satisfies Readonly<Record<string, DocumentedError>>;

/**
 * Reports whether an operation takes an `Idempotency-Key`. PUT, PATCH and DELETE set a state, so repeating them adds
 * nothing. An operation that checks the caller's password must count a wrong one. One that is open to anyone has no actor
 * to keep an answer for: a sign-in's answer would hand the session to anyone who knows the key.
 */
export function takesIdempotencyKey({
  method,
  allow,
  unkeyed,
}: Pick<Operation, 'method' | 'allow' | 'unkeyed'>): boolean {
  return method === 'POST' && allow.to !== 'anyone' && !unkeyed;
}
