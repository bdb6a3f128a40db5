import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { Log } from '../services/call/log.ts';
import type { Services } from '../services/context.ts';
import { deliverWebhook } from '../services/webhooks/delivery.ts';
import { schedules } from './schedules.ts';

const webhookPayload = z.object({ webhook_id: z.int() });

/** Returns the tasks of the queue by the names under which jobs are added. */
export function createTaskList(services: Services, log: Log): TaskList {
  const scheduled = schedules.map(({ name, run }) => [name, () => run(services, log)] as const);
  return {
    deliver_webhook: async (payload, { abortSignal }) => {
      await deliverWebhook(services, webhookPayload.parse(payload).webhook_id, abortSignal);
    },
    ...Object.fromEntries(scheduled),
  };
}
