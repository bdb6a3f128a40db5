import type { StoredEvent } from '../../db/tables/events.ts';

/** Beyond so many events, or so many characters of them, the oldest are forgotten. */
const maximumEvents = 1_000;
const maximumLength = 1024 * 1024;

/** The latest events in memory: all of them from some id on, in the order of their ids. */
export class RecentEvents {
  #events: StoredEvent[] = [];
  #length = 0;
  /** Events up to this id are not here (any more). */
  #floor: number;
  #position: number;

  /** @param position - the id of the latest event so far */
  constructor(position: number) {
    this.#floor = position;
    this.#position = position;
  }

  /** The id of the latest event. */
  get position(): number {
    return this.#position;
  }

  /** Adds the events that follow. */
  append(events: readonly StoredEvent[]): void {
    this.#events.push(...events);
    this.#length += lengthOf(events);
    this.#position = events.at(-1)?.id ?? this.#position;
    let forgotten = 0;
    while (this.#events.length - forgotten > maximumEvents || this.#length > maximumLength) {
      this.#floor = this.#events[forgotten]?.id ?? this.#floor;
      this.#length -= lengthOf(this.#events.slice(forgotten, ++forgotten));
    }
    this.#events.splice(0, forgotten);
  }

  /** The events after an id; undefined where some of them are no longer here. */
  after(id: number): readonly StoredEvent[] | undefined {
    if (id < this.#floor) return undefined;
    // From the end, where almost everyone is.
    return this.#events.slice(this.#events.findLastIndex((event) => event.id <= id) + 1);
  }
}

function lengthOf(events: readonly StoredEvent[]): number {
  return events.reduce((length, { json }) => length + json.length, 0);
}
