import type { Database } from '../../db/connection/database.ts';
import { isSchemaOutdated } from '../../db/connection/errors.ts';
import { selectQueueBacklog, type TaskBacklog } from '../../db/job-queue/jobs.ts';
import { type PublicationState, selectPublicationState } from '../../db/outbox/waiting-changes.ts';
import { singleFlight } from '../../shared/waiting/single-flight.ts';
import { atMost } from '../../shared/waiting/wait.ts';

/** What waits in the database. */
export interface Backlog {
  readonly jobs: readonly TaskBacklog[];
  /** Undefined as long as the schema is not migrated. */
  readonly publication: PublicationState | undefined;
}

/** The latest answer of the database. */
export interface BacklogReading {
  /** Whether the database has answered lately. Undefined until its first answer is due. */
  readonly isUp: boolean | undefined;
  /** Undefined if the database has not answered for a minute. */
  readonly backlog: (Backlog & { readonly ageMs: number }) | undefined;
}

/** How often it is read at most. Reading takes a twentieth of the time at most, also with a long queue. */
const minIntervalMs = 5_000;
const maxShare = 1 / 20;
/** How long a scrape waits for the database. */
const scrapeTimeoutMs = 500;
/** A database that has not answered for so long is down, also if it refuses nothing. */
const silenceMs = 30_000;
/** What is older says nothing about now. */
const maxAgeMs = 60_000;

/** Returns what reads the backlog, shared by all scrapes. It never rejects, and answers within half a second. */
export function createBacklogReader(db: Database): () => Promise<BacklogReading> {
  let latest: (Backlog & { readonly at: number }) | undefined;
  let hasFailed = false;
  let nextAt = 0;

  const refresh = singleFlight(async () => {
    const start = performance.now();
    try {
      latest = { ...(await read(db)), at: performance.now() };
      hasFailed = false;
    } catch {
      // The log has the reason, from those who need the database.
      hasFailed = true;
    }
    const now = performance.now();
    nextAt = now + Math.max(minIntervalMs, (now - start) / maxShare);
  });

  return async () => {
    if (performance.now() >= nextAt) await atMost(scrapeTimeoutMs, refresh.run());
    if (latest === undefined) return { isUp: hasFailed ? false : undefined, backlog: undefined };
    const { at, ...backlog } = latest;
    const ageMs = performance.now() - at;
    return {
      isUp: !hasFailed && ageMs < silenceMs,
      backlog: ageMs < maxAgeMs ? { ...backlog, ageMs } : undefined,
    };
  };
}

async function read(db: Database): Promise<Backlog> {
  try {
    const [publication, jobs] = await Promise.all([selectPublicationState(db), selectQueueBacklog(db)]);
    return { publication, jobs };
  } catch (error) {
    if (!isSchemaOutdated(error)) throw error;
    return { publication: undefined, jobs: [] };
  }
}
