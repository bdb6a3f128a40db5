import type { DatabaseTimeouts } from '../db/connection/driver.ts';
import { ListMemo } from '../db/lists/list-memo.ts';
import { type EventReader, Publisher } from '../db/outbox/publisher.ts';
import { connectDatabases, type DatabasesLoad } from '../db/replica/databases.ts';
import { AnalyticsMemo } from './analytics/analytics-memo.ts';
import { insertInBatches } from './call/insert.ts';
import type { Log, Observer } from './call/observer.ts';
import type { Services } from './context.ts';
import { EventHub, type EventLimits } from './events/hub.ts';
import { createMailReader } from './incoming/mail-reader.ts';
import { createLimiters, type LimitOverrides, loadOf } from './load/classes.ts';
import { createMail } from './mail/mail.ts';
import { createSmtpClient, type MailSender } from './mail/smtp.ts';
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
  readonly imapUrl?: string | undefined;
  readonly publicUrl: string;
  /** Whether that URL is the operator's, not the default. */
  readonly isPublicUrlSet?: boolean;
  readonly mailFrom: MailSender;
  readonly mailReplyTo?: string | undefined;
  readonly log: Log;
  readonly observer?: Observer | undefined;
  /** Overrides of the defaults. */
  readonly databaseTimeouts?: DatabaseTimeouts | undefined;
  readonly eventLimits?: Partial<EventLimits> | undefined;
  readonly limits?: LimitOverrides | undefined;
  readonly passwordCost?: number | undefined;
}

export interface OpenServices extends Services {
  /** Returns how busy the pools and the classes of work are. */
  load(): DatabasesLoad & { readonly queues: ReturnType<typeof loadOf> };
  close(): Promise<void>;
}

/** Creates the services. They connect on first use, so this needs no database. */
export function openServices(options: OpenOptions): OpenServices {
  const { databaseUrl, log, observer = {}, publicUrl, isPublicUrlSet = false, corsOrigins = [] } = options;
  const {
    strictRoles,
    passwordMinLength,
    sessionIdleSeconds,
    smtpUrl,
    mailFrom: from,
    mailReplyTo: replyTo,
  } = options;
  const databases = connectDatabases({
    databaseUrl,
    databasePoolUrl: options.databasePoolUrl,
    databaseReadUrl: options.databaseReadUrl,
    timeouts: options.databaseTimeouts,
    onConnectionError: (err) => log.warn({ err }, 'database connection lost'),
    onReplicaChange({ used, reason, error: err }) {
      if (used) log.info({}, 'read replica in use');
      else log.warn({ reason, err }, 'read replica not in use: the primary answers its reads');
    },
    onRecorded: () => publisher.wake(),
  });
  const { primary } = databases;
  const publisher = new Publisher({
    databaseUrl,
    reader: (): EventReader | undefined => events.reader,
    onPublished: (changes, ms) => observer.onPublished?.(changes, ms),
    onLost: (err) => log.warn({ err }, 'changes cannot be published, retrying'),
  });
  const isOwn = (processId: number) => publisher.isOwn(processId);
  const events = new EventHub({ db: primary, databaseUrl, log, isOwn, limits: options.eventLimits });
  const limiters = createLimiters(options.limits);
  const passwords = createPasswordHasher((work) => limiters.hashes.run('', work), options.passwordCost);
  const secretBox = createSecretBox(options.encryptionKeys);
  const smtp = smtpUrl === undefined ? undefined : createSmtpClient(smtpUrl, from);
  const mailReader = createMailReader();
  return {
    databases,
    limiters,
    publisher,
    events,
    passwords,
    secretBox,
    observer,
    memos: { lists: new ListMemo(), analytics: new AnalyticsMemo() },
    insertIssueOf: insertInBatches(primary, limiters.changes),
    mail: createMail({ smtp, from, replyTo, publicUrl, isPublicUrlSet, secretBox }),
    mailReader,
    imapUrl: options.imapUrl,
    webhookSender: createWebhookSender({ allowPrivate: options.allowPrivateWebhooks }),
    site: { publicUrl: isPublicUrlSet ? publicUrl : undefined, corsOrigins },
    rules: { strictRoles, passwordMinLength, sessionIdleSeconds },
    load: () => ({ ...databases.load(), queues: loadOf(limiters) }),
    async close() {
      await events.close();
      await Promise.all([publisher.close(), databases.close(), passwords.close(), mailReader.close()]);
    },
  };
}
