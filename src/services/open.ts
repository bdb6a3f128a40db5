import type { PoolLoad } from '../db/connection/connections.ts';
import type { DatabaseTimeouts } from '../db/connection/database.ts';
import { ListMemo } from '../db/lists/list-memo.ts';
import { Publisher } from '../db/outbox/publisher.ts';
import { connectDatabases } from '../db/replica/databases.ts';
import type { ReplicaLag, ReplicaState } from '../db/replica/read-database.ts';
import { AnalyticsMemo } from './analytics/analytics-memo.ts';
import { InsertBatches } from './call/insert.ts';
import type { Log } from './call/log.ts';
import { noObserver, type Observer } from './call/observer.ts';
import type { Services } from './context.ts';
import { EventHub, type EventLimits } from './events/hub.ts';
import { type ClassName, createLimiters, type LimitOverrides, loadOf } from './load/classes.ts';
import type { Load } from './load/limiter.ts';
import { createMail } from './mail/mail.ts';
import { type MailSender, SmtpClient } from './mail/smtp.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { createSignInLimits } from './sign-in/attempt-limits.ts';
import { createPasswordHasher } from './sign-in/password-hasher.ts';
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
  readonly eventLimits?: Partial<EventLimits> | undefined;
  /** The limits of classes of work. */
  readonly limits?: LimitOverrides | undefined;
  /** The cost of bcrypt for new password hashes. */
  readonly passwordCost?: number | undefined;
}

/** How busy the service is. */
export interface ServicesLoad {
  /** The pools of database connections, by name. */
  readonly pools: Readonly<Record<string, PoolLoad>>;
  /** The classes of work. */
  readonly queues: Readonly<Record<ClassName, Load>>;
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
  const { databaseUrl, databasePoolUrl, databaseReadUrl, smtpUrl, publicUrl, mailFrom, log } = options;
  const { strictRoles, passwordMinLength, sessionIdleSeconds, observer = noObserver } = options;
  const smtp = smtpUrl === undefined ? undefined : new SmtpClient(smtpUrl, mailFrom);
  const limiters = createLimiters(options.limits);
  const publisher: Publisher = new Publisher({
    databaseUrl,
    reader: () => events.reader,
    onPublished: (changes, ms) => observer.onPublished(changes, ms),
    onLost: (err) => log.warn({ err }, 'changes cannot be published, retrying'),
  });
  const databases = connectDatabases({
    databaseUrl,
    databasePoolUrl,
    databaseReadUrl,
    timeouts: options.databaseTimeouts,
    onConnectionError: (err) => log.warn({ err }, 'database connection lost'),
    onReplicaChange: (state) => logReplica(log, state),
    onRecorded: () => publisher.wake(),
  });
  const { primary } = databases;
  const events = new EventHub({
    db: primary,
    databaseUrl,
    log,
    isOwn: (processId) => publisher.isOwn(processId),
    limits: options.eventLimits,
  });
  const secretBox = createSecretBox(options.encryptionKeys);
  const passwords = createPasswordHasher((work) => limiters.hashes.run('', work), options.passwordCost);
  return {
    databases,
    limiters,
    memos: { lists: new ListMemo(), analytics: new AnalyticsMemo() },
    insertBatches: new InsertBatches(primary, (work) => limiters.changes.run('inserts', work)),
    publisher,
    events,
    observer,
    secretBox,
    passwords,
    signInLimits: createSignInLimits(primary, limiters),
    webhookSender: createWebhookSender({ allowPrivate: options.allowPrivateWebhooks }),
    mail: createMail(smtp, publicUrl, secretBox),
    rules: { strictRoles, passwordMinLength, sessionIdleSeconds },
    site: {
      publicUrl: options.isPublicUrlSet ? publicUrl : undefined,
      corsOrigins: options.corsOrigins ?? [],
    },
    load() {
      const { primary: main, replica } = databases.load();
      const pools = { main, ...(replica === undefined ? {} : { replica: replica.pool }) };
      return { pools, queues: loadOf(limiters), replica };
    },
    async close() {
      await events.close();
      await Promise.all([publisher.close(), databases.close(), passwords.close()]);
    },
  };
}

function logReplica(log: Log, { used, reason, error: err }: ReplicaState): void {
  if (used) log.info({}, 'read replica in use');
  else log.warn({ reason, err }, 'read replica not in use: the primary answers its reads');
}
