import { wait } from '../../shared/waiting/wait.ts';
import { DatabaseHangsError, type ProbeConnection } from './probe-connection.ts';

export interface HangDetectorOptions {
  readonly probe: ProbeConnection;
  /** Called when the database is found to hang, and when it answers again. */
  readonly onChange: (hangs: boolean) => void;
}

/** If nothing is answered for so long, the database is asked whether it answers at all. */
const quietMs = 1_000;
const retryMs = 100;

/**
 * Finds out that the database hangs: connections stay open, but nothing answers, because its machine or the network to it
 * has frozen. What needs the database then fails at once, instead of waiting in line and keeping the database busy with
 * answers that nobody waits for when it goes on.
 */
export class HangDetector {
  readonly #options: HangDetectorOptions;
  readonly #closing = new AbortController();
  readonly #recoveries: (() => void)[] = [];
  #hang = new AbortController();
  #running = 0;
  #answers = 0;
  #watching: Promise<void> | undefined;

  constructor(options: HangDetectorOptions) {
    this.#options = options;
  }

  /** Aborts when the database is found to hang. After that there is another signal. */
  get hang(): AbortSignal {
    return this.#hang.signal;
  }

  /** Calls a listener each time the database answers again. The connections from before may be dead. */
  onRecovery(listener: () => void): void {
    this.#recoveries.push(listener);
  }

  /**
   * Runs work that ends when the database answers.
   *
   * @throws DatabaseHangsError if the database hangs
   */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    this.#hang.signal.throwIfAborted();
    this.#running++;
    this.#watching ??= this.#watch();
    try {
      const result = await work();
      this.#answers++;
      return result;
    } finally {
      this.#running--;
    }
  }

  close(): void {
    this.#closing.abort();
  }

  /** Runs as long as there is work. */
  async #watch(): Promise<void> {
    while (this.#running > 0 && !this.#closing.signal.aborted) {
      const answers = this.#answers;
      await wait(quietMs, this.#closing.signal);
      if (this.#running > 0 && this.#answers === answers && !(await this.#answersProbe()))
        await this.#waitForRecovery();
    }
    this.#watching = undefined;
  }

  async #waitForRecovery(): Promise<void> {
    this.#hang.abort(new DatabaseHangsError());
    this.#options.onChange(true);
    do {
      await wait(retryMs, this.#closing.signal);
      if (this.#closing.signal.aborted) return;
    } while (!(await this.#answersProbe()));
    this.#hang = new AbortController();
    this.#options.onChange(false);
    for (const listener of this.#recoveries) listener();
  }

  /** A refusal is an answer too: those who connect find out at once. */
  async #answersProbe(): Promise<boolean> {
    try {
      await this.#options.probe.ask((client) => client.query('select'));
      return true;
    } catch (error) {
      return !(error instanceof DatabaseHangsError);
    }
  }
}
