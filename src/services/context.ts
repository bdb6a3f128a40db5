import type { Database } from '../db/connection/database.ts';
import type { ListMemo } from '../db/lists/list-memo.ts';
import type { Publisher } from '../db/outbox/publisher.ts';
import type { Databases } from '../db/replica/databases.ts';
import type { AnalyticsMemo } from './analytics/analytics-memo.ts';
import type { Actor } from './call/actor.ts';
import type { Change } from './call/changes.ts';
import type { InsertIssue, InsertIssueOf } from './call/insert.ts';
import type { Log, Observer } from './call/observer.ts';
import type { EventHub } from './events/hub.ts';
import type { Site } from './factors/passkeys.ts';
import type { MailReader } from './incoming/mail-reader.ts';
import type { Limited, Limiters } from './load/classes.ts';
import type { Mail } from './mail/mail.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import type { PasswordHasher } from './sign-in/password-hasher.ts';
import type { Rules } from './sign-in/password-policy.ts';
import type { WebhookSender } from './webhooks/sender.ts';

/** The admin that a session starts for. */
export interface StartingAdmin {
  readonly id: string;
  /** The hash of the password that the sign-in verified. */
  readonly passwordHash: string;
  /** Whether the session is limited to setting up a second factor. */
  readonly isEnrolling: boolean;
}

/** The sign-in session of the caller, if its door has sessions. */
export interface SessionPort {
  /** Starts a session under a new id. Returns its key, or null if the admin may no longer have one. */
  start(tx: Database, admin: StartingAdmin): Promise<string | null>;
  /** The browser and the system of the caller, such as `Firefox on Windows`. */
  readonly device: string;
  /** Makes the caller discard the session that has ended. */
  forget(): void;
}

/** Everything that lives as long as the process. */
export interface Services {
  readonly databases: Databases;
  /** Limit how much work runs at once, so that nobody takes the connections or the processors from the others. */
  readonly limiters: Limiters;
  /** What is remembered of the database while its tables have the version that it was read at. */
  readonly memos: { readonly lists: ListMemo; readonly analytics: AnalyticsMemo };
  readonly passwords: PasswordHasher;
  /** Inserts the issues of calls that come at the same time together. */
  readonly insertIssueOf: InsertIssueOf;
  readonly publisher: Publisher;
  readonly events: EventHub;
  readonly observer: Observer;
  readonly secretBox: SecretBox;
  readonly webhookSender: WebhookSender;
  readonly mail: Mail;
  /** Reads mails that have come in. */
  readonly mailReader: MailReader;
  /** The mailbox whose mails become conversations. */
  readonly imapUrl: string | undefined;
  readonly rules: Rules;
  readonly site: Site;
}

/** What a handler receives: the services, and everything about the call except its input. */
export interface Context extends Services {
  /**
   * The primary, or the replica if the operation declares it. In a call with an `Idempotency-Key`, the transaction of
   * the whole call, so a handler must not query `databases` directly.
   */
  readonly db: Database;
  /**
   * Runs work in a class of its own, such as a search, on the same database. A wait for one class may hold a turn in another:
   * `bulk`, then `searches`, then `reads` and `changes`.
   */
  readonly limited: Limited;
  readonly change: Change;
  /** Inserts an issue, on the primary, with those of other calls. Undefined in a call with an `Idempotency-Key`. */
  readonly insertIssue: InsertIssue | undefined;
  /** Runs work after the commit. The answer waits for it, but does not depend on it: a failure is logged. */
  readonly afterCommit: (work: () => Promise<void>) => void;
  readonly actor: Actor;
  /** Reports whether the actor still has the access that it had at the start, for endless answers. */
  readonly hasAccess: () => Promise<boolean>;
  readonly session: SessionPort;
  /** The network address of the caller, or empty. */
  readonly address: string;
  /** The origin that the request was sent to, or empty. */
  readonly origin: string;
  /** The URL of the service as the caller sees it, without a slash at the end, or empty. */
  readonly baseUrl: string;
  /** Aborts when the caller has received a timeout error. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** The signal of a call without a deadline. */
export const noDeadline: AbortSignal = new AbortController().signal;
