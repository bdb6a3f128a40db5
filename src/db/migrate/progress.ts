import type { Client } from 'pg';
import type { MigrationFile } from './files.ts';

const intervalMs = 10_000;
/** Once as a table, and once in the log. */
const writtenTimes = 2;

/** Runs a step of long work, and writes lines: when it begins, every ten seconds while it runs, and how long it took. */
export async function runStep(
  log: (line: string) => void,
  name: string,
  line: string,
  step: () => Promise<unknown>,
): Promise<void> {
  log(line);
  const startedAt = performance.now();
  const timer = setInterval(() => log(`${name} still runs after ${since(startedAt)}`), intervalMs);
  try {
    await step();
  } finally {
    clearInterval(timer);
  }
  log(`${name} took ${since(startedAt)}`);
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
export async function describeDiskNeed(client: Client, migrations: readonly MigrationFile[]) {
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
  const size = bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
  return `The migrations need up to ${size} of free disk on the database server for a while.`;
}
