import type { Task, TaskList } from 'graphile-worker';
import { z } from 'zod';
import { mailTask } from '../db/job-queue/mail-jobs.ts';
import { resetTask } from '../db/job-queue/reset-jobs.ts';
import { fieldsOf } from '../services/call/input.ts';
import type { Log } from '../services/call/log.ts';
import type { Observer } from '../services/call/observer.ts';
import type { Services } from '../services/context.ts';
import { queuedMailSchema } from '../services/mail/queued-mail.ts';
import { sendQueuedMail } from '../services/mail/send-queued.ts';
import { sendPasswordReset } from '../services/sign-in/password-resets.ts';
import { deliverWebhook } from '../services/webhooks/delivery.ts';
import { inNewSpan } from '../shared/tracing.ts';
import { schedules } from './schedules.ts';

const resetPayload = z.object({ email: z.string(), address: z.string() });
const webhookPayload = z.object({ webhook_id: z.int() });

/** Without a mail server, mails stay in the queue for an instance that has one. */
function mailTasks(services: Services, log: Log): Readonly<Record<string, Task>> {
  const { smtp } = services;
  if (smtp === undefined) return {};
  return {
    [mailTask]: async (payload, { job, abortSignal: signal }) => {
      const isLast = job.attempts >= job.max_attempts;
      await sendQueuedMail({ ...services, log }, smtp, queuedMailSchema.parse(payload), { isLast, signal });
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

/** Returns the trace of what has queued the job, if it was traced. */
function traceparentOf(payload: unknown): string | undefined {
  const { traceparent } = fieldsOf(payload);
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** Returns a task that tells the observer of each run, and makes a span of it. */
function observed(name: string, task: Task, observer: Observer): Task {
  const span = {
    name: `job ${name}`,
    kind: 'consumer',
    attributes: { 'backoffice.job.task': name },
  } as const;
  return async (payload, helpers) => {
    const start = performance.now();
    let outcome: 'succeeded' | 'failed' = 'failed';
    try {
      const result = await inNewSpan(span, traceparentOf(payload), async () => await task(payload, helpers));
      outcome = 'succeeded';
      return result;
    } finally {
      observer.onJob(name, outcome, performance.now() - start);
    }
  };
}
