import { meWithoutAccount } from '../../contract/schemas/assignees.ts';
import type { Door, Role } from '../../contract/vocabulary.ts';
import type { AdminIdentity } from '../../db/tables/accounts/admins.ts';
import { networkOf } from './networks.ts';
import { refuse } from './refuse.ts';

/** Who makes a call. The e-mail and role are current: they are read with each request. */
export interface Actor {
  readonly kind: 'admin' | 'token' | 'operator' | 'service' | 'nobody';
  /** The id of the account or token; null if the actor is neither. */
  readonly id: string | null;
  readonly role: Role;
  readonly door: Door;
  /** The name in logs and records. */
  readonly name: string;
  /** The account, if the actor has one. */
  readonly admin: (AdminIdentity & { readonly created_at: string }) | null;
  /** The API token that was sent. It acts as its owner, if it has one. */
  readonly token?: {
    readonly id: number;
    readonly isReadOnly: boolean;
    /** Whether it may only send data in. */
    readonly isIntake: boolean;
    /** Whether it has ever done more than that. */
    readonly didMore: boolean;
  };
  /** The key of the session's row, if the actor has a session. */
  readonly sessionKey?: string;
  /** When the session ends in any case, and when without another request, in seconds since 1970. */
  readonly sessionEnds?: { readonly at: number; readonly idleAt: number };
  /** Whether the network address stays out of the records: the audit trail may be kept for ever, and erases none. */
  readonly isUntraced?: boolean;
  /** Whether the session is limited to setting up a second factor. */
  readonly isEnrolling?: boolean;
}

/** Returns the key for limits per actor. All sessions of an account are one actor. */
export function actorKey({ kind, id }: Pick<Actor, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** Returns the actor of a call without a session, for operations that are open to anyone. */
export function anonymousActor(door: Door): Actor {
  return { kind: 'nobody', id: null, role: 'user', door, name: 'nobody', admin: null };
}

/** Returns the actor of commands on the service's machine: a user with access to the database may do everything. */
export function localOperator(name: string, door: Door = 'cli'): Actor {
  return { kind: 'operator', id: null, role: 'superadmin', door, name, admin: null };
}

/** Returns the admin that a caller without a session has turned out to be. What it changes is recorded as theirs. */
export function asAdmin(actor: Actor, id: string, email: string): Actor {
  return { ...actor, kind: 'admin', id, name: email };
}

/** Returns the visitor who writes on the contact page, or in a form of the website. What comes of it is recorded as theirs. */
export function visitorActor({ door }: Pick<Actor, 'door'>): Actor {
  return { ...anonymousActor(door), name: 'visitor', isUntraced: true };
}

/** The service itself, in its background jobs. */
export const serviceActor: Actor = { ...localOperator('backoffice', 'job'), kind: 'service' };

/** Returns whose share of the service a call takes: an account with all its sessions, or a network. */
export function callerOf(actor: Pick<Actor, 'kind' | 'id'>, address: string): string {
  return actor.kind === 'nobody' ? `network ${networkOf(address)}` : actorKey(actor);
}

/**
 * Returns the assignee whose rows a list selects, by `me`, `none` or the id of an admin: null for rows that are not
 * assigned, undefined for all rows. Refuses `me` without an account.
 */
export function assigneeIdOf(assignee: string | undefined, { admin }: Actor): string | null | undefined {
  if (assignee === 'none') return null;
  return assignee === 'me' ? (admin?.id ?? refuse(meWithoutAccount)) : assignee;
}
