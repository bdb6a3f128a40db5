import type { DatabasePool } from 'slonik';
import type { RunWithConnection } from './connection-shares.ts';
import { type PoolLoad, slonikPoolLoad } from './pool-load.ts';

/** A pool of connections that opens with the first query. */
export class LazyPool {
  /** Runs work that takes a connection of the pool. */
  readonly share: RunWithConnection;
  readonly #open: () => Promise<DatabasePool>;
  #opening: Promise<DatabasePool> | undefined;
  #opened: DatabasePool | undefined;

  constructor(open: () => Promise<DatabasePool>, share: RunWithConnection) {
    this.#open = open;
    this.share = share;
  }

  /** Shares one attempt to open it among all queries. The next query after a failed attempt tries again. */
  async open(): Promise<DatabasePool> {
    this.#opening ??= this.#open().then(
      (opened) => {
        this.#opened = opened;
        return opened;
      },
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return await this.#opening;
  }

  load(size: number): PoolLoad {
    return slonikPoolLoad(this.#opened, size, this.share.waiting());
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.end();
  }
}
