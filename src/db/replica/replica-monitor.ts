import type { Client } from 'pg';
import { createBackoff } from '../../shared/waiting/backoff.ts';
import { wait, within } from '../../shared/waiting/wait.ts';
import { plainClient } from '../connection/plain-client.ts';
import type { PlainPool } from '../connection/plain-pool.ts';
import type { Pool } from '../connection/pool.ts';
import type { PoolLoad } from '../connection/pool-load.ts';
import { catchUp } from './catch-up.ts';
import { findReplicaProblem, inspectPrimary } from './inspect-replica.ts';

/** Whether reads go to the replica. */
export interface ReplicaState {
  readonly used: boolean;
  /** Why it is not used. */
  readonly reason?: string | undefined;
  readonly error?: unknown;
}

/** How far the replica is behind. */
export interface ReplicaLag {
  readonly used: boolean;
  /** How long ago it last had all that the primary had, or undefined if it never had. */
  readonly lagMs: number | undefined;
}

/** The connections to the replica, as long as they are expected to answer. */
export interface ReplicaConnections {
  readonly database: Pool;
  /** Aborts when the replica no longer answers, so that nothing waits for a connection that hangs. */
  readonly silent: AbortSignal;
}

export interface ReplicaMonitorOptions {
  readonly replicaUrl: string;
  readonly primary: PlainPool;
  /** Opens a pool of connections to the replica. */
  readonly openPool: () => { readonly database: Pool; load(): PoolLoad; close(): Promise<void> };
  /** Called each time the replica starts or ceases to be used. */
  readonly onChange: (state: ReplicaState) => void;
}

interface OpenConnections extends ReplicaConnections {
  readonly silence: AbortController;
  load(): PoolLoad;
  close(): Promise<void>;
}

/** How often a replica that is used is examined. */
const intervalMs = 1_000;
/** A replica that takes longer to answer is taken for a frozen one. */
export const silenceMs = 1_000;
/** A replica that was used for so long was not at fault: the next retry is soon. */
const stableMs = 10_000;

/**
 * Decides whether reads go to the replica. It starts with the first read; until the replica has been examined, and while
 * it is gone, silent, promoted or behind, the primary answers. It is examined again, at growing intervals, and used again
 * as soon as it follows the primary.
 */
export class ReplicaMonitor {
  readonly #options: ReplicaMonitorOptions;
  readonly #backoff = createBackoff({ firstMs: 100, maxMs: 5_000, jitter: 0.3 });
  #connections: OpenConnections | undefined;
  #state: ReplicaState = { used: false };
  #usedSince = 0;
  /** When an examination last found that the replica had all that the primary had. */
  #caughtUpAt: number | undefined;
  /** The connection of the examinations, which does not wait for one of the pool. */
  #client: Client | undefined;
  #watching: Promise<void> | undefined;
  #isClosed = false;
  /** Ends the pause between two examinations. */
  #pause = new AbortController();

  constructor(options: ReplicaMonitorOptions) {
    this.#options = options;
  }

  /** Returns the connections to the replica if reads may use them. */
  get connections(): ReplicaConnections | undefined {
    if (!this.#isClosed) this.#watching ??= this.#watch();
    return this.#state.used ? this.#connections : undefined;
  }

  lag(): ReplicaLag {
    const { used } = this.#state;
    // While it is used, an examination each second finds it milliseconds behind at most.
    if (used) return { used, lagMs: 0 };
    const caughtUpAt = this.#caughtUpAt;
    return { used, lagMs: caughtUpAt === undefined ? undefined : performance.now() - caughtUpAt };
  }

  /** Returns the load of its connections, if they are open. */
  poolLoad(): PoolLoad | undefined {
    return this.#connections?.load();
  }

  /** Stops using the replica until it has been examined again. */
  fail(reason: string, error?: unknown): void {
    if (!this.#state.used) return;
    if (performance.now() - this.#usedSince > stableMs) this.#backoff.reset();
    this.#change({ used: false, reason, error });
    this.#pause.abort();
  }

  /** Examines the replica soon. */
  suspect(): void {
    this.#pause.abort();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#state = { used: false };
    this.#pause.abort();
    const client = this.#client;
    this.#disconnect();
    await Promise.all([client?.end().catch(() => {}), this.#watching, this.#connections?.close()]);
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      await this.#examine();
      if (this.#isClosed) return;
      this.#pause = new AbortController();
      await wait(this.#state.used ? intervalMs : this.#backoff.next(), this.#pause.signal);
    }
  }

  async #examine(): Promise<void> {
    const { primary } = this.#options;
    // Without the primary there is nothing to compare with, and no read either.
    const facts = await within(silenceMs, inspectPrimary(primary), timedOut).catch(() => undefined);
    if (facts === undefined) return;
    try {
      const client = await this.#connect();
      const ask = () => within(silenceMs, findReplicaProblem(client, facts), timedOut);
      const problem = await catchUp(ask, (found) => found === 'it lags behind the primary');
      if (this.#isClosed) return;
      if (problem === undefined) this.#use();
      else this.#reject(problem);
    } catch (error) {
      if (this.#isClosed) return;
      this.#disconnect();
      this.#reject('it does not answer', error);
      this.#abandon();
    }
  }

  #use(): void {
    this.#caughtUpAt = performance.now();
    if (this.#state.used) return;
    this.#connections ??= this.#open();
    this.#usedSince = performance.now();
    this.#change({ used: true });
  }

  #reject(reason: string, error?: unknown): void {
    if (this.#state.used) this.fail(reason, error);
    else if (this.#state.reason === undefined) this.#change({ used: false, reason, error });
  }

  #change(state: ReplicaState): void {
    this.#state = state;
    this.#options.onChange(state);
  }

  #open(): OpenConnections {
    const silence = new AbortController();
    return { ...this.#options.openPool(), silence, silent: silence.signal };
  }

  /** Gives up the connections of a replica that does not answer. They may hang for as long as the system keeps them. */
  #abandon(): void {
    const { silence, close } = this.#connections ?? {};
    this.#connections = undefined;
    silence?.abort(timedOut());
    void close?.().catch(() => {});
  }

  async #connect(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    const client = plainClient({
      connectionString: this.#options.replicaUrl,
      connectionTimeoutMillis: silenceMs,
      keepAlive: true,
    });
    this.#client = client;
    await client.connect();
    return client;
  }

  #disconnect(): void {
    void this.#client?.end().catch(() => {});
    this.#client = undefined;
  }
}

const timedOut = () => new Error('The replica did not answer in time.');
