import type { StoredEvent } from '../../db/outbox/events.ts';

/** The oldest events are dropped beyond this number of events, or of characters. */
const maxEvents = 1_000;
const maxCharacters = 1024 * 1024;

/** Keeps the latest events in memory: all events after some id, ordered by id. */
export class RecentEvents {
  #events: StoredEvent[] = [];
  #characters = 0;
  /** Events up to this id are not in memory. */
  #droppedUpTo: number;
  #position: number;

  /** @param position - the id of the latest event */
  constructor(position: number) {
    this.#droppedUpTo = position;
    this.#position = position;
  }

  /** The id of the latest event. */
  get position(): number {
    return this.#position;
  }

  /** Adds the next events. */
  append(events: readonly StoredEvent[]): void {
    this.#events.push(...events);
    this.#characters += charactersOf(events);
    this.#position = events.at(-1)?.id ?? this.#position;
    let dropped = 0;
    while (this.#events.length - dropped > maxEvents || this.#characters > maxCharacters) {
      this.#droppedUpTo = this.#events[dropped]?.id ?? this.#droppedUpTo;
      this.#characters -= charactersOf(this.#events.slice(dropped, ++dropped));
    }
    this.#events.splice(0, dropped);
  }

  /** Returns the events after an id, or undefined if some of them are not in memory. */
  eventsAfter(id: number): readonly StoredEvent[] | undefined {
    if (id < this.#droppedUpTo) return undefined;
    // Searches from the end: almost every follower is there.
    return this.#events.slice(this.#events.findLastIndex((event) => event.id <= id) + 1);
  }
}

function charactersOf(events: readonly StoredEvent[]): number {
  return events.reduce((sum, { json }) => sum + json.length, 0);
}
