import { maxPoolConnections } from '../../db/connection/pool.ts';
import type { RunLimited } from '../../shared/semaphore.ts';
import { type Actor, actorKey } from '../call/actor.ts';
import { busyError, limitCalls } from '../call/limit-calls.ts';

export interface ListLimits {
  /** How many long lists go out at once, and how many of them to one actor. */
  readonly maxConcurrent: number;
  readonly maxPerActor: number;
  /** How many may wait, of one actor and of all. */
  readonly maxQueued: number;
  /** Milliseconds that a reader waits for its turn, before it is told `busy`. */
  readonly queueTimeoutMs: number;
  /** Milliseconds after which a turn ends when somebody waits for it. */
  readonly maxSlotMs: number;
}

const defaultLimits: ListLimits = {
  maxConcurrent: maxPoolConnections / 2,
  maxPerActor: 2,
  maxQueued: 50,
  queueTimeoutMs: 5_000,
  maxSlotMs: 30_000,
};

/** Who reads a long list. */
export interface ListReader {
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  /** Aborts when it waits no more. */
  readonly signal: AbortSignal;
  /** Ends the answer where it is, and with that the work. */
  readonly disconnect: () => void;
}

/**
 * Whose turn it is to read a list that is long and whole. Such a list keeps a connection of the pool for as long as its
 * reader takes, which may be minutes, so readers have turns: no more than leave connections for everything else, and few
 * enough to one actor that it takes no other's. A line always moves: who waits is soon told to come back later, and the
 * one who has had its turn longest is cut off for whom it keeps waiting.
 */
export class ListQueue {
  readonly #limits: ListLimits;
  readonly #inTurn: RunLimited;
  /** The turns of those actors that read or wait. */
  readonly #actors = new Map<string, { readonly inTurn: RunLimited; readers: number }>();
  /** Who may be cut off, and since when (milliseconds) each has its turn: the longest first. */
  readonly #reading = new Map<ListReader, number>();

  constructor(limits: Partial<ListLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#inTurn = limitCalls(this.#limits.maxConcurrent, this.#limits.maxQueued);
  }

  /**
   * Runs work that reads a list, when it is the reader's turn.
   *
   * @throws BackofficeError `busy`, where it does not come in time, or too many wait
   */
  async run<T>(reader: ListReader, work: () => Promise<T>): Promise<T> {
    const impatience = new AbortController();
    const leave = () => impatience.abort(busyError());
    const timer = setTimeout(leave, this.#limits.queueTimeoutMs);
    const signal = AbortSignal.any([reader.signal, impatience.signal]);
    try {
      return await this.#amongOwn(reader, signal, () =>
        this.#amongAll(signal, async () => {
          clearTimeout(timer);
          return await this.#read(reader, work);
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** First among the readers of the same actor: whoever waits for itself takes no place in the line of all. */
  async #amongOwn<T>({ actor }: ListReader, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { maxPerActor: perActor, maxQueued: inLine } = this.#limits;
    const key = actorKey(actor);
    const own = this.#actors.get(key) ?? { inTurn: limitCalls(perActor, inLine), readers: 0 };
    this.#actors.set(key, own);
    own.readers++;
    try {
      return await own.inTurn(work, signal);
    } finally {
      own.readers--;
      if (own.readers === 0) this.#actors.delete(key);
    }
  }

  /** Then among all. Each who waits cuts off one at most, as soon as that has had its turn for long enough. */
  async #amongAll<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    let timer = setTimeout(() => makeRoom());
    const makeRoom = () => {
      const [longest] = this.#reading;
      if (longest === undefined) return;
      const [reader, since] = longest;
      const left = since + this.#limits.maxSlotMs - performance.now();
      if (left > 0) timer = setTimeout(makeRoom, left);
      else {
        this.#reading.delete(reader);
        reader.disconnect();
      }
    };
    try {
      return await this.#inTurn(async () => {
        clearTimeout(timer);
        return await work();
      }, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async #read<T>(reader: ListReader, work: () => Promise<T>): Promise<T> {
    this.#reading.set(reader, performance.now());
    try {
      return await work();
    } finally {
      this.#reading.delete(reader);
    }
  }
}
