import { wakeDueWebhooks } from '../db/job-queue/webhook-jobs.ts';
import { deleteFailedJobs } from '../db/job-queue/workers.ts';
import { deleteExpiredLimits } from '../db/tables/sign-in-attempts.ts';
import { refreshTokenAlerts } from '../services/analytics/token-alerts.ts';
import { purgeTrail } from '../services/background/retention.ts';
import type { Services } from '../services/call/context.ts';
import type { Log } from '../services/call/log.ts';
import { purgeDeliveries } from '../services/webhooks/delivery.ts';

/** Something that the service does by itself at certain times; of all instances, one does it each time. */
export interface Schedule {
  readonly name: string;
  /** Minute, hour, day of the month, month, day of the week, as in a crontab; UTC. */
  readonly pattern: string;
  readonly run: (services: Services, log: Log) => Promise<void>;
}

/** Whatever was missed while no instance ran is not made up for. */
export const schedules: readonly Schedule[] = [
  {
    name: 'wake_webhooks',
    pattern: '* * * * *',
    // For deliveries whose job was lost, as after a restore of some tables only.
    run: ({ databases }) => wakeDueWebhooks(databases.primary),
  },
  {
    name: 'refresh_token_alerts',
    // A month turns at a quarter of an hour, whatever the zone: every offset in use is a multiple of 15 minutes.
    pattern: '*/15 * * * *',
    run: ({ databases }) => refreshTokenAlerts({ databases }),
  },
  { name: 'purge_trail', pattern: '37 * * * *', run: purgeTrail },
  { name: 'purge_deliveries', pattern: '17 * * * *', run: purgeDeliveries },
  {
    name: 'purge_failed_jobs',
    pattern: '47 * * * *',
    run: ({ databases }) => deleteFailedJobs(databases.primary),
  },
  {
    name: 'purge_sign_in_limits',
    pattern: '7 * * * *',
    run: ({ databases }) => deleteExpiredLimits(databases.primary),
  },
];
