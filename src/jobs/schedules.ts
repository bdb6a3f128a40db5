import { wakeDueWebhooks } from '../db/job-queue/webhook-jobs.ts';
import { deleteFailedJobs } from '../db/job-queue/workers.ts';
import { deleteExpiredFactors } from '../db/tables/accounts/factors.ts';
import { deleteExpiredLimits } from '../db/tables/accounts/limited-attempts.ts';
import { deleteExpiredChallenges } from '../db/tables/accounts/sign-in-challenges.ts';
import { deleteOldPlaces } from '../db/tables/accounts/sign-in-places.ts';
import { refreshTokenAlerts } from '../services/analytics/token-alerts.ts';
import { purgeConversations } from '../services/background/conversation-retention.ts';
import { purgeIdempotencyKeys } from '../services/background/idempotency-purge.ts';
import { purgeHistory, purgeTrail } from '../services/background/retention.ts';
import type { Log } from '../services/call/log.ts';
import type { Services } from '../services/context.ts';
import { purgeMails } from '../services/mail/send-queued.ts';
import { purgeExpiredLinks } from '../services/sign-in/expired-links.ts';
import { purgeDeliveries } from '../services/webhooks/delivery.ts';

/** A task that runs automatically at certain times, each time on one of the instances. */
export interface Schedule {
  readonly name: string;
  /** Minute, hour, day of the month, month and day of the week, as in a crontab, in UTC. */
  readonly pattern: string;
  readonly run: (services: Services, log: Log) => Promise<void>;
}

/** Runs that were due while no instance was up are skipped. */
export const schedules: readonly Schedule[] = [
  {
    name: 'wake_webhooks',
    pattern: '* * * * *',
    // Finds deliveries whose job was lost, for example after a partial restore.
    run: ({ databases }) => wakeDueWebhooks(databases.primary),
  },
  {
    name: 'refresh_token_alerts',
    // Months start at a quarter of an hour in every time zone: all offsets in use are multiples of 15 minutes.
    pattern: '*/15 * * * *',
    run: ({ databases }) => refreshTokenAlerts({ databases }),
  },
  { name: 'purge_trail', pattern: '37 * * * *', run: purgeTrail },
  { name: 'purge_conversations', pattern: '42 * * * *', run: (services) => purgeConversations(services) },
  { name: 'purge_history', pattern: '52 * * * *', run: purgeHistory },
  { name: 'purge_deliveries', pattern: '17 * * * *', run: purgeDeliveries },
  {
    name: 'purge_failed_jobs',
    pattern: '47 * * * *',
    run: ({ databases }) => deleteFailedJobs(databases.primary),
  },
  { name: 'purge_expired_links', pattern: '12 * * * *', run: purgeExpiredLinks },
  { name: 'purge_mails', pattern: '57 * * * *', run: purgeMails },
  { name: 'purge_idempotency_keys', pattern: '27 * * * *', run: purgeIdempotencyKeys },
  {
    name: 'purge_sign_in_limits',
    pattern: '7 * * * *',
    run: ({ databases }) => deleteExpiredLimits(databases.primary),
  },
  {
    name: 'purge_sign_in_places',
    pattern: '22 * * * *',
    run: ({ databases }) => deleteOldPlaces(databases.primary),
  },
  {
    name: 'purge_sign_in_challenges',
    pattern: '12 * * * *',
    run: async ({ databases }) => {
      await deleteExpiredChallenges(databases.primary);
      await deleteExpiredFactors(databases.primary);
    },
  },
];
