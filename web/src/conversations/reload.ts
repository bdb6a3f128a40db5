import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../app/data/query-client.ts';

interface Reloading {
  readonly current: Promise<void>;
  /** One more run after the current one, for all that asked meanwhile. */
  next?: Promise<void>;
}

const reloading = new Map<string, Reloading>();

/**
 * Loads what is on the screen of some queries again. Calls during a run share one more run after it: events that arrive
 * faster than the service answers would otherwise cancel each run before its end. Resolves after a run that began later
 * than the call.
 */
export function reload(queryKey: QueryKey): Promise<void> {
  const name = JSON.stringify(queryKey);
  const running = reloading.get(name);
  if (running === undefined) return start(name, queryKey);
  running.next ??= running.current.then(() => start(name, queryKey));
  return running.next;
}

function start(name: string, queryKey: QueryKey): Promise<void> {
  const current = loadAgain(queryKey).finally(() => {
    const ended = reloading.get(name);
    if (ended?.current === current) reloading.delete(name);
  });
  reloading.set(name, { current });
  return current;
}

async function loadAgain(queryKey: QueryKey): Promise<void> {
  // A page that is on its way would be thrown away. It may be older than the call, so it does not count as a run.
  if (queryClient.isFetching({ queryKey }) > 0)
    await queryClient.refetchQueries({ queryKey }, { cancelRefetch: false });
  await queryClient.invalidateQueries({ queryKey });
}
