import type { Database } from '../db/connection/database.ts';
import type { DatabaseTimeouts } from '../db/connection/driver.ts';
import { ListMemo } from '../db/lists/list-memo.ts';
import { type EventReader, Publisher } from '../db/outbox/publisher.ts';
import { connectDatabases, type DatabasesLoad } from '../db/replica/databases.ts';
import { AnalyticsMemo } from './analytics/analytics-memo.ts';
import { insertInBatches } from './call/insert.ts';
import type { Log, Observer } from './call/observer.ts';
import type { Services } from './context.ts';
import { EventHub, type EventLimits } from './events/hub.ts';
import {
  type ClassName,
  createLimiters,
  type Limiters,
  type LimitOverrides,
  loadOf,
} from './load/classes.ts';
import type { Load } from './load/limiter.ts';
import { createMail } from './mail/mail.ts';
import { type MailSender, SmtpClient } from './mail/smtp.ts';
import { createSecretBox, type SecretBox } from './secrets/secret-box.ts';
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
export interface ServicesLoad extends DatabasesLoad {
  /** The classes of work. */
  readonly queues: Readonly<Record<ClassName, Load>>;
}

export interface OpenServices extends Services {
  /** Returns how busy the pools and the queues are. */
  load(): ServicesLoad;
  /** Closes every connection and thread. */
  close(): Promise<void>;
}

/** Creates the services. They connect on first use, so this needs no database. */
export function openServices(options: OpenOptions): OpenServices {
  const { observer = {} } = options;
  const data = openData(options, () => events.publisher.wake());
  const { databases, limiters } = data;
  const events = openEvents(options, databases.primary, observer);
  const signIn = openSignIn(options, limiters);
  return {
    ...data,
    ...events,
    ...signIn,
    ...openMail(options, signIn.secretBox),
    observer,
    load: () => ({ ...databases.load(), queues: loadOf(limiters) }),
    async close() {
      await events.events.close();
      await Promise.all([events.publisher.close(), databases.close(), signIn.passwords.close()]);
    },
  };
}

/** @param onRecorded - called after each commit that has recorded changes */
function openData(
  { log, databaseTimeouts, limits, ...urls }: OpenOptions,
  onRecorded: () => void,
): Pick<Services, 'databases' | 'limiters' | 'memos' | 'insertIssueOf'> {
  const databases = connectDatabases({
    databaseUrl: urls.databaseUrl,
    databasePoolUrl: urls.databasePoolUrl,
    databaseReadUrl: urls.databaseReadUrl,
    timeouts: databaseTimeouts,
    onConnectionError: (err) => log.warn({ err }, 'database connection lost'),
    onReplicaChange({ used, reason, error: err }) {
      if (used) log.info({}, 'read replica in use');
      else log.warn({ reason, err }, 'read replica not in use: the primary answers its reads');
    },
    onRecorded,
  });
  const limiters = createLimiters(limits);
  return {
    databases,
    limiters,
    memos: { lists: new ListMemo(), analytics: new AnalyticsMemo() },
    insertIssueOf: insertInBatches(databases.primary, (work) => limiters.changes.run('inserts', work)),
  };
}

function openEvents(
  { databaseUrl, eventLimits, log }: OpenOptions,
  db: Database,
  observer: Observer,
): Pick<Services, 'publisher' | 'events'> {
  const publisher = new Publisher({
    databaseUrl,
    reader: (): EventReader | undefined => events.reader,
    onPublished: (changes, ms) => observer.onPublished?.(changes, ms),
    onLost: (err) => log.warn({ err }, 'changes cannot be published, retrying'),
  });
  const isOwn = (processId: number) => publisher.isOwn(processId);
  const events = new EventHub({ db, databaseUrl, log, isOwn, limits: eventLimits });
  return { publisher, events };
}

function openSignIn(
  { encryptionKeys, passwordCost, strictRoles, passwordMinLength, sessionIdleSeconds }: OpenOptions,
  limiters: Limiters,
): Pick<Services, 'secretBox' | 'passwords' | 'rules'> {
  return {
    secretBox: createSecretBox(encryptionKeys),
    passwords: createPasswordHasher((work) => limiters.hashes.run('', work), passwordCost),
    rules: { strictRoles, passwordMinLength, sessionIdleSeconds },
  };
}

/** Opens what reaches people and other services, and what they reach this one by. */
function openMail(
  { smtpUrl, mailFrom, publicUrl, isPublicUrlSet, corsOrigins = [], allowPrivateWebhooks }: OpenOptions,
  secretBox: SecretBox,
): Pick<Services, 'mail' | 'webhookSender' | 'site'> {
  const smtp = smtpUrl === undefined ? undefined : new SmtpClient(smtpUrl, mailFrom);
  return {
    mail: createMail(smtp, publicUrl, secretBox),
    webhookSender: createWebhookSender({ allowPrivate: allowPrivateWebhooks }),
    site: { publicUrl: isPublicUrlSet ? publicUrl : undefined, corsOrigins },
  };
}
