import type { Settings } from '../contract/known-settings/settings.ts';
import type { Databases } from '../db/replica/databases.ts';
import { selectSettings } from '../db/tables/settings.ts';
import { atMost, shareNext } from '../shared/waiting.ts';

/** How long a request waits for the database before what was read last counts. */
const timeoutMs = 1_000;

/**
 * Returns what reads settings again with each call, so that every instance follows a change at once. Without the database,
 * what was read last counts. Calls during a query share the next one: together they take one connection.
 */
export function settingsReader<Value>(
  { primary }: Databases,
  keys: readonly string[],
  reading: (settings: Settings) => Value,
) {
  let last = reading({});
  const refresh = shareNext(async () => {
    const settings = await selectSettings(primary, keys).catch(() => undefined);
    if (settings !== undefined) last = reading(settings);
    return last;
  });
  return { last: () => last, read: async () => (await atMost(timeoutMs, refresh())) ?? last };
}
