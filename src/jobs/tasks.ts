import type { Task, TaskList } from 'graphile-worker';
import { z } from 'zod';
import {
  deleteFailedJobs,
  deleteUnsentMails,
  mailTask,
  replyTask,
  resetTask,
  wakeDueWebhooks,
} from '../db/job-queue/jobs.ts';
import { deleteOldRows, type TableOfOldRows } from '../db/old-rows.ts';
import { refreshTokenAlerts } from '../services/analytics/token-alerts.ts';
import { purgeConversations, purgeHistory, purgeTrail } from '../services/background/retention.ts';
import type { Log, Observer } from '../services/call/observer.ts';
import { fieldsOf } from '../services/call/validate.ts';
import type { Services } from '../services/context.ts';
import { queuedMailSchema, sendQueuedMail } from '../services/mail/mail.ts';
import { failLostReplies, sendQueuedReply } from '../services/mail/replies.ts';
import { sendPasswordReset } from '../services/sign-in/password-resets.ts';
import { deliverWebhook } from '../services/webhooks/delivery.ts';
import { inNewSpan } from '../shared/tracing.ts';

const resetPayload = z.object({ email: z.string(), address: z.string() });
const replyPayload = z.object({ message_id: z.int() });
const webhookPayload = z.object({ webhook_id: z.int() });

/** Without a mail server, mails stay in the queue for an instance that has one. */
function mailTasks(services: Services, log: Log): Readonly<Record<string, Task>> {
  const { smtp } = services.mail;
  if (smtp === undefined) return {};
  return {
    [mailTask]: async (payload, { job, abortSignal: signal }) => {
      const isLast = job.attempts >= job.max_attempts;
      await sendQueuedMail({ ...services, log }, smtp, queuedMailSchema.parse(payload), { isLast, signal });
    },
    [replyTask]: async (payload, { job, abortSignal: signal }) => {
      const isLast = job.attempts >= job.max_attempts;
      await sendQueuedReply(services, smtp, replyPayload.parse(payload).message_id, { isLast, signal });
    },
    [resetTask]: async (payload, { job }) => {
      await sendPasswordReset(services, { ...resetPayload.parse(payload), at: job.created_at });
    },
  };
}

/** Returns the tasks of the queue by the names under which jobs are added. */
export function createTaskList(services: Services, log: Log): TaskList {
  const scheduled = schedules.map(({ name, run }) => [name, () => run(services, log)] as const);
  const tasks: Readonly<Record<string, Task>> = {
    deliver_webhook: async (payload, { abortSignal }) => {
      await deliverWebhook(services, webhookPayload.parse(payload).webhook_id, abortSignal);
    },
    ...mailTasks(services, log),
    ...Object.fromEntries(scheduled),
  };
  const { observer } = services;
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, observed(name, task, observer)]),
  );
}

/** Returns a task that tells the observer of each run, and makes a span of it. */
function observed(name: string, task: Task, observer: Observer): Task {
  const attributes = { 'backoffice.job.task': name };
  const span = { name: `job ${name}`, kind: 'consumer', attributes } as const;
  return async (payload, helpers) => {
    // Of what has queued the job, if it was traced.
    const { traceparent } = fieldsOf(payload);
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    const start = performance.now();
    let outcome: 'succeeded' | 'failed' = 'failed';
    try {
      const result = await inNewSpan(span, parent, async () => await task(payload, helpers));
      outcome = 'succeeded';
      return result;
    } finally {
      observer.onJob?.(name, outcome, performance.now() - start);
    }
  };
}

/** A task that runs automatically at certain times, each time on one of the instances. */
interface Schedule {
  readonly name: string;
  /** Minute, hour, day of the month, month and day of the week, as in a crontab, in UTC. */
  readonly pattern: string;
  readonly run: (services: Services, log: Log) => Promise<void>;
}

/** Returns a run that deletes the old rows of some tables. */
const purge =
  (...tables: readonly TableOfOldRows[]): Schedule['run'] =>
  async ({ databases }) => {
    for (const table of tables) await deleteOldRows(databases.primary, table);
  };

const schedule = (name: string, pattern: string, run: Schedule['run']): Schedule => ({ name, pattern, run });

/** Runs that were due while no instance was up are skipped. */
export const schedules: readonly Schedule[] = [
  // Finds deliveries whose job was lost, for example after a partial restore.
  schedule('wake_webhooks', '* * * * *', ({ databases }) => wakeDueWebhooks(databases.primary)),
  schedule('fail_lost_replies', '* * * * *', (services) => failLostReplies(services)),
  // Months start at a quarter of an hour in every time zone: all offsets in use are multiples of 15 minutes.
  schedule('refresh_token_alerts', '*/15 * * * *', ({ databases }) => refreshTokenAlerts({ databases })),
  schedule('purge_trail', '37 * * * *', purgeTrail),
  schedule('purge_conversations', '42 * * * *', (services) => purgeConversations(services)),
  schedule('purge_history', '52 * * * *', purgeHistory),
  schedule('purge_deliveries', '17 * * * *', purge('webhook_deliveries')),
  schedule('purge_failed_jobs', '47 * * * *', ({ databases }) => deleteFailedJobs(databases.primary)),
  schedule('purge_expired_links', '12 * * * *', purge('invitations', 'password_resets', 'device_sign_ins')),
  schedule('purge_mails', '57 * * * *', async (services, log) => {
    await deleteUnsentMails(services.databases.primary);
    await purge('failed_mails')(services, log);
  }),
  schedule('purge_idempotency_keys', '27 * * * *', purge('idempotency_keys')),
  schedule('purge_sign_in_limits', '7 * * * *', purge('rate_limits')),
  schedule('purge_sign_in_places', '22 * * * *', purge('sign_in_networks', 'sign_in_devices')),
  schedule('purge_sign_in_challenges', '12 * * * *', purge('sign_in_challenges', 'admin_factors')),
];
