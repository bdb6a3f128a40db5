import type { Door, Role } from '../../contract/vocabulary.ts';
import type { AdminIdentity } from '../../db/tables/admins.ts';

/** Who makes a call, as of now: the e-mail and role are read with each request. */
export interface Actor {
  readonly kind: 'admin' | 'token' | 'operator' | 'service' | 'nobody';
  /** Of the account or the token; null where the actor is neither. */
  readonly id: string | null;
  readonly role: Role;
  readonly door: Door;
  /** What a log or a record calls the actor. */
  readonly name: string;
  /** The account, where the actor has one. */
  readonly admin: (AdminIdentity & { readonly created_at: string }) | null;
  /** The key of the session's row, where the actor has a session. */
  readonly sessionKey?: string;
}

/** What tells actors apart, for limits of each: all sessions of an account are one actor. */
export function actorKey({ kind, id }: Pick<Actor, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** The one who has not signed in, for the operations that are open to anyone. */
export function nobody(door: Door): Actor {
  return { kind: 'nobody', id: null, role: 'user', door, name: 'nobody', admin: null };
}

/** Whoever may run commands on the machine of the service: as powerful as its database is open to them. */
export function localOperator(name: string, door: Door = 'cli'): Actor {
  return { kind: 'operator', id: null, role: 'superadmin', door, name, admin: null };
}

/** The service itself, in what it does on a schedule. */
export const theService: Actor = {
  kind: 'service',
  id: null,
  role: 'superadmin',
  door: 'job',
  name: 'backoffice',
  admin: null,
};
