import { connectDatabases } from '../db/connection/connect.ts';
import { openPlainPool } from '../db/connection/plain-pool.ts';
import type { DatabaseTimeouts } from '../db/connection/pool.ts';
import { Publisher } from '../db/outbox/publisher.ts';
import type { ReplicaState } from '../db/replica/replica-monitor.ts';
import type { SlotLimits } from './call/actor-slots.ts';
import { limitCalls } from './call/limit-calls.ts';
import type { Log } from './call/log.ts';
import { createSearchSlots } from './call/search-slots.ts';
import { createBulkSlots } from './changes/run-bulk.ts';
import type { Services } from './context.ts';
import { EventHub, type EventLimits } from './events/hub.ts';
import { createSignInLimits } from './sign-in/attempt-limits.ts';
import { createPasswordHasher } from './sign-in/password-hasher.ts';
import { type ListLimits, ListQueue } from './streaming/list-queue.ts';
import { createWebhookSender } from './webhooks/sender.ts';

export interface OpenOptions {
  readonly databaseUrl: string;
  readonly databaseReadUrl?: string | undefined;
  readonly strictRoles: boolean;
  readonly sessionIdleSeconds: number;
  readonly allowPrivateWebhooks: boolean;
  readonly log: Log;
  /** Overrides of the defaults. */
  readonly databaseTimeouts?: DatabaseTimeouts | undefined;
  readonly signInWaitTimeoutMs?: number | undefined;
  readonly eventLimits?: Partial<EventLimits> | undefined;
  readonly listLimits?: Partial<ListLimits> | undefined;
  readonly searchLimits?: Partial<SlotLimits> | undefined;
  readonly bulkLimits?: Partial<SlotLimits> | undefined;
}

export interface OpenServices extends Services {
  /** Closes every connection and thread. */
  close(): Promise<void>;
}

/** Less than half of the connections of a pool. */
const maxSlowCalls = 4;
const slowCallQueueLimit = 100;

/** Creates the services. They connect on first use, so this needs no database. */
export function openServices(options: OpenOptions): OpenServices {
  const { databaseUrl, databaseReadUrl, strictRoles, sessionIdleSeconds, log, eventLimits: limits } = options;
  const { databaseTimeouts: timeouts } = options;
  const onConnectionError = (err: Error) => log.warn({ err }, 'database connection lost');
  const publisher = new Publisher({
    databaseUrl,
    onPublished: () => events.wake(),
    onLost: (err) => log.warn({ err }, 'changes cannot be published, retrying'),
  });
  const onRecorded = () => publisher.wake();
  const plainPool = openPlainPool({ databaseUrl, timeouts, onConnectionError });
  const replica =
    databaseReadUrl === undefined
      ? undefined
      : {
          databaseUrl: databaseReadUrl,
          primary: plainPool,
          onChange: (state: ReplicaState) => logReplica(log, state),
        };
  const databases = connectDatabases({ databaseUrl, replica, timeouts, onConnectionError, onRecorded });
  const passwords = createPasswordHasher();
  const events = new EventHub({ pool: plainPool, databaseUrl, log, limits });
  return {
    databases,
    passwords,
    signInLimits: createSignInLimits(databases.primary, options.signInWaitTimeoutMs),
    listQueue: new ListQueue(options.listLimits),
    limitSlowCalls: limitCalls(maxSlowCalls, slowCallQueueLimit),
    bulkSlots: createBulkSlots(options.bulkLimits),
    searchSlots: createSearchSlots(options.searchLimits),
    publisher,
    events,
    webhookSender: createWebhookSender({ allowPrivate: options.allowPrivateWebhooks }),
    strictRoles,
    sessionIdleSeconds,
    plainPool,
    async close() {
      await events.close();
      await Promise.all([publisher.close(), databases.close(), plainPool.end(), passwords.close()]);
    },
  };
}

function logReplica(log: Log, { used, reason, error: err }: ReplicaState): void {
  if (used) log.info({}, 'read replica in use');
  else log.warn({ reason, err }, 'read replica not in use: the primary answers its reads');
}
