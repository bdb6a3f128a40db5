import type { Databases } from '../../db/connection/connect.ts';
import type { PlainPool } from '../../db/connection/plain-pool.ts';
import type { Database } from '../../db/connection/pool.ts';
import type { ChangedRow } from '../../db/tables/record-changes.ts';
import type { EventHub } from '../events/hub.ts';
import type { SignInLimits } from '../sign-in/attempt-limits.ts';
import type { PasswordHasher } from '../sign-in/password-hasher.ts';
import type { ListQueue } from '../streaming/list-queue.ts';
import type { WebhookSender } from '../webhooks/sender.ts';
import type { Actor } from './actor.ts';
import type { Log } from './log.ts';

/** The sign-in session of a door that has them. */
export interface SessionPort {
  /**
   * Starts a session of that admin, under a new id. Resolves with the key of its row, or with null, and starts none,
   * where the admin is not active or its password is another one by now.
   */
  start(tx: Database, adminId: string, passwordHash: string): Promise<string | null>;
  /** Makes the caller forget the session that has ended. */
  forget(): void;
}

/** Tells what was changed; it is recorded when the work is done. */
export type Touch = (...touched: readonly ChangedRow[]) => void;

/**
 * Changes data: runs the work in a transaction and records what it touched, as events and as audit records of the
 * actor. Work that calls `refuse` changes nothing: the transaction is rolled back, then the error is thrown.
 *
 * @param as - the recorded actor if it is not the caller: at sign-in nobody is signed in yet
 */
export type Change = <T>(work: (tx: Database, touch: Touch) => Promise<T>, as?: Actor) => Promise<T>;

/** What the services need for as long as the process runs. */
export interface Services {
  readonly databases: Databases;
  /** The primary, for the few queries that must cost no more than they do, and for libraries with SQL of their own. */
  readonly plainPool: PlainPool;
  readonly passwords: PasswordHasher;
  readonly signInLimits: SignInLimits;
  /** Whole lists that are long go out in turns, so that slow readers of them leave connections for everybody else. */
  readonly listQueue: ListQueue;
  readonly events: EventHub;
  readonly webhookSender: WebhookSender;
  readonly strictRoles: boolean;
  /** How long a session lives without a request. */
  readonly sessionIdleSeconds: number;
}

/** What a handler gets: the services, and of the call whatever is not its input. */
export interface Context extends Services {
  /** The primary, or the replica for an operation that says so. */
  readonly db: Database;
  /** Changes data, on the primary. */
  readonly change: Change;
  readonly actor: Actor;
  /** Whether the actor still has the access that the call began with, for an answer that goes on. */
  readonly hasAccess: () => Promise<boolean>;
  readonly session: SessionPort;
  /** The network address of the caller, where there is one. */
  readonly address: string;
  /** Aborts when the caller has been told that it took too long. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** The signal of a call that may take its time. */
export const noDeadline: AbortSignal = new AbortController().signal;
