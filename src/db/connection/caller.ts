import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../../shared/fair-queue.ts';

const callers = new AsyncLocalStorage<Caller | undefined>();

/** Runs work on behalf of a caller, or of the service itself. All that the work starts is on its behalf too. */
export function runAs<T>(caller: Caller | undefined, work: () => T): T {
  return callers.run(caller, work);
}

/** Returns the caller on whose behalf the code runs. Undefined for the service itself. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}
