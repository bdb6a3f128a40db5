import { eventTypes } from '../../../src/contract/event-types.ts';
import { inWords } from './words.ts';

/** Returns what an event is about, such as `issue`. Those of bulk changes are plural. */
export function nounOf(event: string): string {
  const noun = event.slice(0, event.indexOf('.'));
  return noun.endsWith('s') && eventTypes.some((type) => type.startsWith(`${noun.slice(0, -1)}.`))
    ? noun.slice(0, -1)
    : noun;
}

/** The event types by what they are about. */
export const eventGroups = Object.entries(Object.groupBy(eventTypes, nounOf)).map(([noun, items = []]) => ({
  group: inWords(noun),
  items,
}));

/** Returns the event types about the same thing, separated by commas. */
export function eventsOf(event: string): string {
  const noun = nounOf(event);
  return eventTypes.filter((type) => nounOf(type) === noun).join(',');
}
