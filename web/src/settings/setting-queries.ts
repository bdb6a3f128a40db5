import { queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { createStore } from '../app/store.ts';

/** All settings, with the values of those that are not secret, and when they were written. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => {
    // A section that does not exist leaves out the analytics.
    const input = { section: 'none', include: 'details' };
    const { settings, details = {} } = await client.call('settings.show', input, signal);
    return { settings, details };
  },
});

/** Who last changed each setting while this page was open. */
export const lastActors = createStore<ReadonlyMap<string, string>>(new Map());

/** Brings what is shown of settings up to date. Events have no values, which may be secrets. */
export function receiveSettingEvent(event: EventOrGap): void {
  if (!event.type.startsWith('setting') || event.type === 'gap') return;
  const keys = event.type === 'settings.updated' ? event.data.keys : [String(event.subject_id)];
  lastActors.set(new Map([...lastActors.get(), ...keys.map((key) => [key, event.actor] as const)]));
  void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
}
