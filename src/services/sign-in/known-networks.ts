import { BatchQueue } from '../../db/connection/batch-queue.ts';
import type { RunStatement } from '../../db/connection/pool.ts';
import { connectionSpan } from '../../db/connection/trace-statements.ts';
import {
  type AttemptOrigin,
  type KnownNetworks,
  selectKnownNetworks,
} from '../../db/tables/accounts/sign-in-places.ts';
import { inSpan } from '../../shared/tracing.ts';

/** Returns what is known of the origin of an attempt. */
export type FindKnownNetworks = (origin: AttemptOrigin) => Promise<KnownNetworks>;

/**
 * Returns what asks for all attempts that begin at the same time with one statement. Each attempt begins with this one, so
 * a burst of them would take, and open, all connections of the pool.
 */
export function batchKnownNetworks(runStatement: RunStatement): FindKnownNetworks {
  const queue = new BatchQueue<{ origin: AttemptOrigin; found: PromiseWithResolvers<KnownNetworks> }>(
    async (take) => {
      const items = take().map(({ item }) => item);
      try {
        const origins = items.map(({ origin }) => origin);
        const known = await runStatement((db) => selectKnownNetworks(db, origins));
        for (const [index, { found }] of items.entries()) found.resolve(known[index] as KnownNetworks);
      } catch (error) {
        for (const { found } of items) found.reject(error);
      }
    },
    () => 1,
  );
  return (origin) => {
    const found = Promise.withResolvers<KnownNetworks>();
    queue.add({ origin, found });
    return inSpan(connectionSpan('known networks'), () => found.promise);
  };
}
