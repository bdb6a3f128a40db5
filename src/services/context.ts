import type { Databases } from '../db/connection/connect.ts';
import type { PlainPool } from '../db/connection/plain-pool.ts';
import type { Database, RunStatement } from '../db/connection/pool.ts';
import type { ProbeConnection } from '../db/connection/probe-connection.ts';
import type { SelectArrays } from '../db/connection/select-arrays.ts';
import type { ListMemo } from '../db/lists/list-memo.ts';
import type { Publisher } from '../db/outbox/publisher.ts';
import type { RightOfWay } from '../shared/waiting/right-of-way.ts';
import type { RunLimited } from '../shared/waiting/semaphore.ts';
import type { AnalyticsMemo } from './analytics/analytics-memo.ts';
import type { Actor } from './call/actor.ts';
import type { ActorSlots } from './call/actor-slots.ts';
import type { Change } from './call/changes.ts';
import type { Insert, InsertBatches } from './call/insert.ts';
import type { Log } from './call/log.ts';
import type { Observer } from './call/observer.ts';
import type { EventHub } from './events/hub.ts';
import type { Mail } from './mail/mail.ts';
import type { SmtpClient } from './mail/smtp.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import type { SignInLimits } from './sign-in/attempt-limits.ts';
import type { AuthorityMemo } from './sign-in/authority-memo.ts';
import type { PasswordHasher } from './sign-in/password-hasher.ts';
import type { PasswordPolicy } from './sign-in/password-policy.ts';
import type { ListQueue } from './streaming/list-queue.ts';
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
  /**
   * Starts a session of that admin, under a new id. Resolves with the key of its row, or with null if the admin is not
   * active or its password has changed.
   */
  start(tx: Database, admin: StartingAdmin): Promise<string | null>;
  /** The browser and the system of the caller, such as `Firefox on Windows`. */
  readonly device: string;
  /** Makes the caller discard the session that has ended. */
  forget(): void;
}

/** Everything that lives as long as the process. */
export interface Services {
  readonly databases: Databases;
  /** Asks the database whether it is there. */
  readonly probe: ProbeConnection;
  /** Plain `pg` connections to the primary, for the hottest queries and for libraries with their own SQL. */
  readonly plainPool: PlainPool;
  /** Runs a short statement of an attempt to sign in on some of these connections. */
  readonly runSignInStatement: RunStatement;
  /** Selects pages at half the cost of `databases`. Undefined if a read replica may answer them. */
  readonly selectOnPrimary: SelectArrays | undefined;
  /** Remembers the pages and short lists that are read again and again. */
  readonly listMemo: ListMemo;
  /** Remembers the sessions and tokens of frequent callers. */
  readonly authority: AuthorityMemo;
  /** Reads the analytics of the settings, and remembers the last ones. */
  readonly analytics: AnalyticsMemo;
  readonly passwords: PasswordHasher;
  /** Which new passwords are refused. */
  readonly passwordPolicy: PasswordPolicy;
  readonly signInLimits: SignInLimits;
  /** Limits the long lists sent at once, so that slow readers leave connections for everybody else. */
  readonly listQueue: ListQueue;
  /** Whole lists make room for sign-ins. */
  readonly rightOfWay: RightOfWay;
  /**
   * Runs calls that hold a connection while they wait for something outside of the database, a few at once. Calls beyond
   * that wait before they take a connection, which leaves the pool to other requests.
   */
  readonly limitSlowCalls: RunLimited;
  /**
   * Runs bulk changes, a few at once. Those of the same rows wait for each other, and would do so with all connections.
   * A call must not wait here with a connection: `execute` waits for operations that take an `Idempotency-Key`.
   */
  readonly bulkSlots: ActorSlots;
  /** Limits the searches at once, so that they leave connections and processors for everything else. */
  readonly searchSlots: ActorSlots;
  /** Inserts the rows of calls that come at the same time together. */
  readonly insertBatches: InsertBatches;
  /** Publishes what was recorded, as events and audit records. */
  readonly publisher: Publisher;
  readonly events: EventHub;
  readonly observer: Observer;
  /** Encrypts the secrets that are stored. */
  readonly secretBox: SecretBox;
  readonly webhookSender: WebhookSender;
  readonly mail: Mail;
  /** Sends the mails of the queue. Undefined without SMTP_URL: other instances may have it. */
  readonly smtp: SmtpClient | undefined;
  readonly strictRoles: boolean;
  /** The service's own URL, if BACKOFFICE_PUBLIC_URL sets it. */
  readonly publicUrl: string | undefined;
  /** Other origins whose pages may use the API, and its passkeys. */
  readonly corsOrigins: readonly string[];
  /** How long a session lasts without a request. */
  readonly sessionIdleSeconds: number;
}

/** What a handler receives: the services, and everything about the call except its input. */
export interface Context extends Services {
  /**
   * The primary, or the replica if the operation declares it. In a call with an `Idempotency-Key`, the transaction of
   * the whole call, so a handler must not query `databases` directly.
   */
  readonly db: Database;
  /** Changes data, on the primary. */
  readonly change: Change;
  /** Inserts one row, on the primary, with the rows of other calls. */
  readonly insert: Insert;
  /**
   * Runs work once the changes of the call are committed. The call's answer waits for the work, but does not depend on
   * it: a failure is logged.
   */
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
