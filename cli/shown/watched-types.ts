import { type EventType, eventTypes } from '../../src/contract/event-types.ts';

/** The nouns whose events change what an operation of another noun answers. */
const others: Readonly<Record<string, readonly string[]>> = {
  conversations: ['message'],
  scraping_runs: ['scraping_run'],
  settings: ['token_alert', 'token_usage', 'scraping_run'],
};

/** Every change makes an event and an audit record. */
const everything = ['audit', 'events'];

/** Returns the types of the events after which an operation may answer something else; none if there are no events. */
export function watchedTypes(operation: string): readonly EventType[] {
  const [noun = ''] = operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split('.');
  if (everything.includes(noun)) return eventTypes;
  const nouns = [noun, noun.replace(/ies$/, 'y').replace(/s$/, ''), ...(others[noun] ?? [])];
  return eventTypes.filter((type) => nouns.includes(type.slice(0, type.indexOf('.'))));
}
