import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../../shared/waiting/fair-queue.ts';

/** The caller on whose behalf code runs, and the signal that ends its work. */
interface CallScope {
  readonly caller: Caller | undefined;
  readonly signal: AbortSignal | undefined;
  /** Whether the code has had its turn among the caller's work. */
  readonly hasTurn?: boolean;
}

const scopes = new AsyncLocalStorage<CallScope>();

/** The signals of calls that have waited for their turn. */
const delayed = new WeakSet<AbortSignal>();

/** Notes that the call with this signal, if it has one, waits for its turn. */
export function noteDelay(signal: AbortSignal | undefined): void {
  if (signal !== undefined) delayed.add(signal);
}

/** Reports whether the call with this signal has waited for its turn. */
export function wasDelayed(signal: AbortSignal): boolean {
  return delayed.has(signal);
}

/** Runs work on behalf of a caller, or of the service itself. All that the work starts is on its behalf too. */
export function runAs<T>(caller: Caller | undefined, work: () => T): T {
  // What the service does for itself does not end with a call.
  const signal = caller === undefined ? undefined : currentSignal();
  return scopes.run({ caller, signal }, work);
}

/** Runs work that nobody waits for once the signal has aborted: what it has not started by then need not start. */
export function runUntil<T>(signal: AbortSignal, work: () => T): T {
  return scopes.run({ ...scopes.getStore(), caller: currentCaller(), signal }, work);
}

/** Runs work to its end, even if nobody waits for it any more. */
export function runToEnd<T>(work: () => T): T {
  return scopes.run({ ...scopes.getStore(), caller: currentCaller(), signal: undefined }, work);
}

/** Runs work that has had its turn among the caller's work: it waits for no other work of the caller. */
export function runInTurn<T>(work: () => T): T {
  return scopes.run({ caller: undefined, signal: undefined, ...scopes.getStore(), hasTurn: true }, work);
}

/** Reports whether the code has had its turn among the caller's work. */
export function hasTurn(): boolean {
  return scopes.getStore()?.hasTurn === true;
}

/** Returns the caller on whose behalf the code runs. Undefined for the service itself. */
export function currentCaller(): Caller | undefined {
  return scopes.getStore()?.caller;
}

/** Returns the signal that aborts when nobody waits for the work any more. */
export function currentSignal(): AbortSignal | undefined {
  return scopes.getStore()?.signal;
}
