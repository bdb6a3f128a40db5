import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import { createStore } from '../app/store.ts';

const latest = createStore(0);

/** The id of the latest entry that is known of. An event has the id of the entry of its change. */
export const latestEntry = { get: latest.get, use: latest.use };

/** Learns of a new entry. */
export function receiveAuditEvent({ id }: EventOrGap): void {
  latest.set(id);
}
