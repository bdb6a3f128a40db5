import { BatchQueue } from '../../db/connection/batch-queue.ts';
import { currentSignal, noteDelay } from '../../db/connection/caller.ts';
import type { RunStatement } from '../../db/connection/pool.ts';
import { connectionSpan } from '../../db/connection/trace-statements.ts';
import {
  type AttemptOrigin,
  type KnownNetworks,
  selectKnownNetworks,
} from '../../db/tables/accounts/sign-in-places.ts';
import { inSpan } from '../../shared/tracing.ts';
import { unlessAborted } from '../../shared/waiting/wait.ts';

/** Returns what is known of the origin of an attempt. */
type FindKnownNetworks = (origin: AttemptOrigin) => Promise<KnownNetworks>;

interface Waiting {
  readonly origin: AttemptOrigin;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
  readonly found: PromiseWithResolvers<KnownNetworks>;
  hasBegun: boolean;
}

/** More than one, so that a broken connection does not stop all attempts. */
const maxBatches = 3;

/**
 * Returns a function that looks up several attempts with one statement. With a statement each, a burst of attempts would
 * open all connections of the pool.
 *
 * @param standstill - returns a signal that ends all waits when it aborts
 */
export function batchKnownNetworks(
  runStatement: RunStatement,
  standstill: () => AbortSignal,
): FindKnownNetworks {
  const queue = new BatchQueue<Waiting>(
    async (take) => {
      const batch = take().map(({ item }) => item);
      for (const item of batch) item.hasBegun = true;
      const items = batch.filter(({ signal }) => !signal.aborted);
      if (items.length === 0) return;
      const origins = items.map(({ origin }) => origin);
      try {
        const known = await runStatement((db) => selectKnownNetworks(db, origins));
        for (const [index, { found }] of items.entries()) found.resolve(known[index] as KnownNetworks);
      } catch (error) {
        for (const { found } of items) found.reject(error);
      }
    },
    () => maxBatches,
  );
  return (origin) => {
    const callSignal = currentSignal();
    const signals = callSignal === undefined ? [standstill()] : [standstill(), callSignal];
    const waiting: Waiting = {
      origin,
      signal: AbortSignal.any(signals),
      found: Promise.withResolvers(),
      hasBegun: false,
    };
    queue.add(waiting);
    if (!waiting.hasBegun) noteDelay(callSignal);
    return inSpan(connectionSpan('known networks'), () =>
      unlessAborted(waiting.signal, waiting.found.promise),
    );
  };
}
