import type { Client } from 'pg';
import type { MigrationFile } from './files.ts';

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

/**
 * Says how much free disk migrations need at most. They may write each table that they name once more, with its indexes,
 * and Postgres logs what they write.
 */
export async function describeDiskNeed(
  client: Client,
  migrations: readonly MigrationFile[],
): Promise<string> {
  const text = migrations.map((file) => file.sql).join('\n');
  const { rows } = await client.query<{ name: string; bytes: number }>(`
    select relname as name, (
      pg_total_relation_size(pg_class.oid) + coalesce(
        (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = pg_class.oid), 0
      )
    )::float8 as bytes
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  `);
  const named = rows.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
  const bytes = writtenTimes * named.reduce((sum, table) => sum + table.bytes, 0);
  return `The migrations need up to ${format(bytes)} of free disk on the database server for a while.`;
}

/** Once as a table, and once in the log. */
const writtenTimes = 2;

function format(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
