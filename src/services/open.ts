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
import { createLimiters, type LimitOverrides, loadOf } from './load/classes.ts';
import { createMail } from './mail/mail.ts';
import { type MailSender, SmtpClient } from './mail/smtp.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { createPasswordHasher } from './sign-in/password-hasher.ts';
import type { Rules } from './sign-in/password-policy.ts';
import { createWebhookSender } from './webhooks/sender.ts';

export interface OpenOptions extends Rules {
  readonly databaseUrl: string;
  /** The same database through a pooler. Requests use it. */
  readonly databasePoolUrl?: string | undefined;
  readonly databaseReadUrl?: string | undefined;
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

export interface OpenServices extends Services {
  /** Returns how busy the pools and the classes of work are. */
  load(): DatabasesLoad & { readonly queues: ReturnType<typeof loadOf> };
  /** Closes every connection and thread. */
  close(): Promise<void>;
}

/** Creates the services. They connect on first use, so this needs no database. */
export function openServices(options: OpenOptions): OpenServices {
  const { observer = {}, strictRoles, passwordMinLength, sessionIdleSeconds } = options;
  const data = openData(options, () => events.publisher.wake());
  const { databases, limiters } = data;
  const events = openEvents(options, databases.primary, observer);
  const passwords = createPasswordHasher((work) => limiters.hashes.run('', work), options.passwordCost);
  return {
    ...data,
    ...events,
    ...openSenders(options),
    passwords,
    rules: { strictRoles, passwordMinLength, sessionIdleSeconds },
    observer,
    load: () => ({ ...databases.load(), queues: loadOf(limiters) }),
    async close() {
      await events.events.close();
      await Promise.all([events.publisher.close(), databases.close(), passwords.close()]);
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

/** Opens what reaches people and other services, with what encrypts it, and what they reach this one by. */
function openSenders(options: OpenOptions): Pick<Services, 'secretBox' | 'mail' | 'webhookSender' | 'site'> {
  const { smtpUrl, mailFrom, publicUrl, isPublicUrlSet, corsOrigins = [], allowPrivateWebhooks } = options;
  const smtp = smtpUrl === undefined ? undefined : new SmtpClient(smtpUrl, mailFrom);
  const secretBox = createSecretBox(options.encryptionKeys);
  return {
    secretBox,
    mail: createMail(smtp, publicUrl, secretBox),
    webhookSender: createWebhookSender({ allowPrivate: allowPrivateWebhooks }),
    site: { publicUrl: isPublicUrlSet ? publicUrl : undefined, corsOrigins },
  };
}
