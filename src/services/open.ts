import { currentCaller } from '../db/connection/caller.ts';
import { createCallerPace } from '../db/connection/caller-pace.ts';
import { connectDatabases } from '../db/connection/connect.ts';
import { HangDetector } from '../db/connection/hang-detector.ts';
import { openPlainPool } from '../db/connection/plain-pool.ts';
import { plainStatements } from '../db/connection/plain-transaction.ts';
import { type DatabaseTimeouts, maxPoolConnections } from '../db/connection/pool.ts';
import type { PoolLoad } from '../db/connection/pool-load.ts';
import { ProbeConnection } from '../db/connection/probe-connection.ts';
import { plainArraysOf } from '../db/connection/select-arrays.ts';
import { withConnection } from '../db/connection/transaction.ts';
import { ListMemo } from '../db/lists/list-memo.ts';
import { Publisher } from '../db/outbox/publisher.ts';
import type { ReplicaLag, ReplicaState } from '../db/replica/replica-monitor.ts';
import { createFairQueue } from '../shared/waiting/fair-queue.ts';
import type { Load } from '../shared/waiting/load.ts';
import { RightOfWay } from '../shared/waiting/right-of-way.ts';
import { AnalyticsMemo } from './analytics/analytics-memo.ts';
import { ActorSlots, type SlotLimits } from './call/actor-slots.ts';
import { InsertBatches } from './call/insert.ts';
import { shareCalls } from './call/limit-calls.ts';
import type { Log } from './call/log.ts';
import { noObserver, type Observer } from './call/observer.ts';
import type { Services } from './context.ts';
import { EventHub, type EventLimits } from './events/hub.ts';
import { limitsFor } from './limits.ts';
import { createMail } from './mail/mail.ts';
import { type MailSender, SmtpClient } from './mail/smtp.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { createSignInLimits } from './sign-in/attempt-limits.ts';
import { AuthorityMemo } from './sign-in/authority-memo.ts';
import { createPasswordHasher } from './sign-in/password-hasher.ts';
import { type ListLimits, ListQueue } from './streaming/list-queue.ts';
import { createWebhookSender } from './webhooks/sender.ts';

export interface OpenOptions {
  readonly databaseUrl: string;
  /** The same database through a pooler. Requests use it. */
  readonly databasePoolUrl?: string | undefined;
  readonly databaseReadUrl?: string | undefined;
  readonly strictRoles: boolean;
  /** How many characters a new password must have with strict roles. */
  readonly passwordMinLength: number;
  readonly sessionIdleSeconds: number;
  readonly allowPrivateWebhooks: boolean;
  readonly corsOrigins?: readonly string[] | undefined;
  /** The keys that encrypt stored secrets, newest first. */
  readonly encryptionKeys: readonly Buffer[];
  readonly smtpUrl?: string | undefined;
  readonly publicUrl: string;
  /** Whether that URL is the operator's, not the default. */
  readonly isPublicUrlSet?: boolean;
  readonly mailFrom: MailSender;
  readonly log: Log;
  readonly observer?: Observer | undefined;
  /** Overrides of the defaults. */
  readonly databaseTimeouts?: DatabaseTimeouts | undefined;
  readonly signInWaitTimeoutMs?: number | undefined;
  readonly eventLimits?: Partial<EventLimits> | undefined;
  readonly listLimits?: Partial<ListLimits> | undefined;
  readonly searchLimits?: Partial<SlotLimits> | undefined;
  readonly bulkLimits?: Partial<SlotLimits> | undefined;
  /** The cost of bcrypt for new password hashes. */
  readonly passwordCost?: number | undefined;
}

/** How busy the service is. */
export interface ServicesLoad {
  /** The pools of database connections, by name. */
  readonly pools: Readonly<Record<string, PoolLoad>>;
  /** What limits work, by name. */
  readonly queues: Readonly<Record<string, Load>>;
  /** Undefined without a read replica. */
  readonly replica: ReplicaLag | undefined;
}

export interface OpenServices extends Services {
  /** Returns how busy the pools and the queues are. */
  load(): ServicesLoad;
  /** Closes every connection and thread. */
  close(): Promise<void>;
}

/** Creates the services. They connect on first use, so this needs no database. */
export function openServices(options: OpenOptions): OpenServices {
  const { databaseUrl, databasePoolUrl, databaseReadUrl } = options;
  const { smtpUrl, publicUrl, mailFrom } = options;
  const { strictRoles, sessionIdleSeconds, log, databaseTimeouts: timeouts } = options;
  const { observer = noObserver } = options;
  const limits = limitsFor(maxPoolConnections);
  const onConnectionError = (err: Error) => log.warn({ err }, 'database connection lost');
  const publisher = new Publisher({
    databaseUrl,
    reader: () => events.reader,
    onPublished(changes, ms) {
      observer.onPublished(changes, ms);
    },
    onLost: (err) => log.warn({ err }, 'changes cannot be published, retrying'),
  });
  const onRecorded = () => publisher.wake();
  // It takes the way of the requests: a pooler may hang too.
  const probe = new ProbeConnection(databasePoolUrl ?? databaseUrl);
  const hangs = new HangDetector({ probe, onChange: (now) => logHang(log, now) });
  const callerPace = createCallerPace();
  const plainOptions = {
    databaseUrl: databasePoolUrl ?? databaseUrl,
    pooler: databasePoolUrl !== undefined,
    timeouts,
    onConnectionError,
    hangs,
    pace: callerPace,
  };
  const plainPool = openPlainPool({ ...plainOptions, idleTimeoutMs: 60_000 });
  const replica =
    databaseReadUrl === undefined
      ? undefined
      : {
          databaseUrl: databaseReadUrl,
          primary: plainPool,
          onChange: (state: ReplicaState) => logReplica(log, state),
        };
  const databases = connectDatabases({
    databaseUrl,
    databasePoolUrl,
    replica,
    timeouts,
    onConnectionError,
    onRecorded,
    hangs,
    pace: callerPace,
  });
  const insertBatches = new InsertBatches(databases.primary);
  const secretBox = createSecretBox(options.encryptionKeys);
  const selectOnPrimary = replica === undefined ? plainArraysOf(plainPool, databases.primary) : undefined;
  const passwords = createPasswordHasher(limits.hashing, options.passwordCost);
  const authority = new AuthorityMemo({ databaseUrl, log });
  const events = new EventHub({
    pool: plainPool,
    databaseUrl,
    log,
    isOwn: (processId) => publisher.isOwn(processId),
    limits: options.eventLimits,
  });
  const standstill = () => hangs.hang;
  // Most requests need these connections, to read their session.
  const ofSignIns = { capacity: 4, maxAlone: 4, reserved: 1 };
  const runSignInStatement = plainStatements(
    plainPool,
    (work) => withConnection(databases.primary, work),
    createFairQueue({ currentCaller, ...ofSignIns, standstill }),
  );
  const rightOfWay = new RightOfWay();
  const signInLimits = createSignInLimits(
    runSignInStatement,
    standstill,
    rightOfWay,
    options.signInWaitTimeoutMs,
  );
  const listQueue = new ListQueue({ ...limits.lists, ...options.listLimits });
  const limitSlowCalls = shareCalls(limits.slowCalls);
  const bulkSlots = new ActorSlots({ ...limits.bulkChanges, ...options.bulkLimits });
  const searchSlots = new ActorSlots({ ...limits.searches, ...options.searchLimits });
  return {
    databases,
    probe,
    authority,
    analytics: new AnalyticsMemo(),
    passwords,
    passwordPolicy: { isStrict: strictRoles, minLength: options.passwordMinLength },
    signInLimits,
    listQueue,
    rightOfWay,
    limitSlowCalls,
    bulkSlots,
    searchSlots,
    insertBatches,
    publisher,
    events,
    observer,
    secretBox,
    webhookSender: createWebhookSender({ allowPrivate: options.allowPrivateWebhooks }),
    mail: createMail({ isConfigured: smtpUrl !== undefined, publicUrl, secretBox }),
    smtp: smtpUrl === undefined ? undefined : new SmtpClient(smtpUrl, mailFrom),
    strictRoles,
    publicUrl: options.isPublicUrlSet ? publicUrl : undefined,
    corsOrigins: options.corsOrigins ?? [],
    sessionIdleSeconds,
    plainPool,
    runSignInStatement,
    selectOnPrimary,
    listMemo: new ListMemo(),
    load() {
      const { primary, replica } = databases.load();
      return {
        pools: {
          main: primary,
          sessions: plainPool.load(),
          ...(replica === undefined ? {} : { replica: replica.pool }),
        },
        queues: {
          hashing: passwords.load(),
          sign_ins: signInLimits.load(),
          lists: listQueue.load(),
          searches: searchSlots.load(),
          bulk_changes: bulkSlots.load(),
          slow_calls: limitSlowCalls.load(),
        },
        replica,
      };
    },
    async close() {
      hangs.close();
      probe.close();
      await events.close();
      await Promise.all([
        authority.close(),
        publisher.close(),
        databases.close(),
        plainPool.end(),
        passwords.close(),
      ]);
    },
  };
}

function logHang(log: Log, hangs: boolean): void {
  if (hangs) log.error({}, 'the database hangs: requests that need it fail at once until it answers');
  else log.info({}, 'the database answers again');
}

function logReplica(log: Log, { used, reason, error: err }: ReplicaState): void {
  if (used) log.info({}, 'read replica in use');
  else log.warn({ reason, err }, 'read replica not in use: the primary answers its reads');
}
