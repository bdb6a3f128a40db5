import type { Role } from '../contract/vocabulary.ts';
import type { AdminIdentity } from '../db/admins.ts';
import type { Databases } from '../db/connect.ts';
import type { Database } from '../db/pool.ts';
import type { PasswordHasher } from './passwords.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** Which door a call came through. */
export type Door = 'http' | 'cli';

/** Who makes a call, as of now: the e-mail and role are read with each request. */
export interface Actor {
  readonly kind: 'admin' | 'token' | 'operator' | 'nobody';
  readonly role: Role;
  readonly door: Door;
  /** What a log or a record calls the actor. */
  readonly name: string;
  /** The account, where the actor has one. */
  readonly admin: (AdminIdentity & { readonly created_at: string }) | null;
  /** The key of the session's row, where the actor has a session. */
  readonly sessionKey?: string;
}

/** The one who has not signed in, for the operations that are open to anyone. */
export function nobody(door: Door): Actor {
  return { kind: 'nobody', role: 'user', door, name: 'nobody', admin: null };
}

/** Whoever may run commands on the machine of the service: as powerful as its database is open to them. */
export function localOperator(name: string): Actor {
  return { kind: 'operator', role: 'superadmin', door: 'cli', name, admin: null };
}

/** The sign-in session of a door that has them. */
export interface SessionPort {
  /**
   * Starts a session of that admin, under a new id. Resolves with false, and starts none, where the admin is not
   * active or its password is another one by now.
   */
  start(adminId: string, passwordHash: string): Promise<boolean>;
  /** Ends the session of the call. */
  end(): Promise<void>;
}

export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** What the services need for as long as the process runs. */
export interface Services {
  readonly databases: Databases;
  readonly passwords: PasswordHasher;
  readonly signInLimits: SignInLimits;
  readonly strictRoles: boolean;
  /** How long a session lives without a request. */
  readonly sessionIdleSeconds: number;
}

/** What a handler gets: the services, and of the call whatever is not its input. */
export interface Context extends Services {
  /** The primary, or the replica for an operation that says so. */
  readonly db: Database;
  readonly actor: Actor;
  readonly session: SessionPort;
  /** The network address of the caller, where there is one. */
  readonly address: string;
  readonly log: Log;
}
