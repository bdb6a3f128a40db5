import type { Gauge } from 'prom-client';
import type { Database } from '../../db/connection/database.ts';
import { isSchemaOutdated } from '../../db/connection/errors.ts';
import { mailTask, replyTask, selectQueueBacklog, type TaskBacklog } from '../../db/job-queue/jobs.ts';
import { selectPublicationState } from '../../db/outbox/record-changes.ts';
import { selectWaitingDeliveries } from '../../db/tables/conversations/message-deliveries.ts';
import { selectMailboxHealth } from '../../db/tables/mailboxes.ts';
import type { Services } from '../../services/context.ts';
import { atMost, singleFlight } from '../../shared/waiting.ts';
import type { Prometheus } from './prometheus.ts';

const states = ['ready', 'running', 'scheduled', 'failed'] as const;

/** The tasks that have a value even without jobs, so that a graph of them starts at 0. */
const knownTasks = ['deliver_webhook', mailTask, replyTask];

/**
 * Adds the gauges of what waits in the database, the same at every instance. They are absent while the database has not
 * answered for a minute.
 *
 * @returns what must run before each scrape
 */
export function addDatabaseMetrics(
  { gauge }: Prometheus,
  { databases }: Pick<Services, 'databases'>,
): () => Promise<void> {
  const readBacklog = createBacklogReader(databases.primary);
  const up = gauge('database_up', '1 if the database has answered lately, else 0.');
  const age = gauge('backlog_age_seconds', 'Age of the figures of jobs and changes that wait.');
  const jobs = gauge('job_queue_jobs', 'Jobs in the queue, by task and state.', 'task', 'state');
  const oldestJob = gauge(
    'job_queue_oldest_ready_seconds',
    'For how long the oldest job of a task that is ready could have run.',
    'task',
  );
  const replies = gauge('visitor_mails_waiting', 'Replies that wait to be sent to their visitors by mail.');
  const oldestReply = gauge(
    'visitor_mails_oldest_seconds',
    'For how long the oldest of these replies has waited.',
  );
  const unpublished = gauge('unpublished_changes', 'Changes that are not published yet.');
  const oldestUnpublished = gauge(
    'unpublished_changes_oldest_seconds',
    'Age of the oldest change that is not published yet.',
  );
  const unreadMailbox = gauge(
    'mailbox_unread_seconds',
    'Seconds since the mailbox of IMAP_URL was last read; absent without one.',
  );
  const lastEvent = gauge('last_event_id', 'Id of the latest event.');

  function setJobs(tasks: readonly TaskBacklog[]): void {
    for (const task of knownTasks) {
      oldestJob.set({ task }, 0);
      for (const state of states) jobs.set({ task, state }, 0);
    }
    for (const { task, oldest_seconds, ...counts } of tasks) {
      oldestJob.set({ task }, oldest_seconds);
      for (const state of states) jobs.set({ task, state }, counts[state]);
    }
  }

  return async () => {
    const { isUp, backlog } = await readBacklog();
    setOrRemove(up, isUp === undefined ? undefined : Number(isUp));
    jobs.reset();
    oldestJob.reset();
    if (backlog !== undefined) setJobs(backlog.jobs);
    setOrRemove(age, backlog && backlog.ageMs / 1_000);
    setOrRemove(replies, backlog?.replies?.count);
    setOrRemove(oldestReply, backlog?.replies?.oldest_seconds);
    setOrRemove(unpublished, backlog?.publication?.changes);
    setOrRemove(oldestUnpublished, backlog?.publication?.oldest_seconds);
    setOrRemove(unreadMailbox, backlog?.mailbox?.seconds ?? undefined);
    setOrRemove(lastEvent, backlog?.publication?.last_event_id);
  };
}

function setOrRemove(gauge: Gauge<never>, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
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
function createBacklogReader(db: Database) {
  let latest: (Awaited<ReturnType<typeof read>> & { readonly at: number }) | undefined;
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
      /** Whether the database has answered lately. Undefined until its first answer is due. */
      isUp: !hasFailed && ageMs < silenceMs,
      backlog: ageMs < maxAgeMs ? { ...backlog, ageMs } : undefined,
    };
  };
}

/** Reads what waits in the database: nothing as long as the schema is not migrated. */
async function read(db: Database) {
  try {
    const [publication, jobs, replies, mailbox] = await Promise.all([
      selectPublicationState(db),
      selectQueueBacklog(db),
      selectWaitingDeliveries(db),
      selectMailboxHealth(db),
    ]);
    return { publication, jobs, replies, mailbox };
  } catch (error) {
    if (!isSchemaOutdated(error)) throw error;
    return { publication: undefined, jobs: [] as const, replies: undefined, mailbox: null };
  }
}
