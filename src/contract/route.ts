import { takesIdempotencyKey } from './idempotency.ts';
import { type Method, type Operation, readsQuery } from './operation.ts';

/** How to send an operation. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  /** Whether the input is the query string, not a JSON body. */
  readonly inQuery: boolean;
  /** Whether it takes an `Idempotency-Key`. */
  readonly takesKey: boolean;
  /** `events`: the answer is a stream of server-sent events, otherwise JSON. */
  readonly answers?: 'events' | undefined;
}

/** Returns how to send an operation. */
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
