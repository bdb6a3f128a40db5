const intervalMs = 10_000;

/** Writes lines about the steps of long work: when each begins, every ten seconds while it runs, and how long it took. */
export class StepLog {
  readonly #log: (line: string) => void;
  #running: { readonly name: string; readonly startedAt: number; readonly timer: NodeJS.Timeout } | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Begins a step, and ends the one before. */
  begin(name: string, line: string): void {
    this.end();
    this.#log(line);
    const startedAt = performance.now();
    const timer = setInterval(() => this.#log(`${name} still runs after ${since(startedAt)}`), intervalMs);
    this.#running = { name, startedAt, timer };
  }

  /** Ends the step that runs, if there is one. */
  end(): void {
    if (this.#running === undefined) return;
    const { name, startedAt } = this.#running;
    this.stop();
    this.#log(`${name} took ${since(startedAt)}`);
  }

  /** Says nothing more: the step has failed. */
  stop(): void {
    clearInterval(this.#running?.timer);
    this.#running = undefined;
  }
}

/** Returns the time since then, such as `0.3 s` or `2 min 5 s`. */
function since(startedAt: number): string {
  const seconds = (performance.now() - startedAt) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
