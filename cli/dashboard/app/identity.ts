import type { Operation } from '../../../src/contract/operation.ts';
import { operationOf } from '../../../src/contract/registry.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import type { Action, Calls } from './types.ts';

/** Who the dashboard acts as. */
export interface Identity {
  /** Null for the operator of this machine, and for a token without an owner. */
  readonly email: string | null;
  readonly role: Role;
  /** Its token may only read. */
  readonly isReadOnly: boolean;
}

/** Asks a server who its token acts as. */
export async function readIdentity(access: Pick<Access, 'call'>): Promise<Identity> {
  const { admin, token } = await access.call('session.show', { include: 'token' });
  return {
    email: admin?.email ?? null,
    role: token?.role ?? admin?.role ?? 'user',
    isReadOnly: token?.read_only ?? false,
  };
}

const roles: readonly Role[] = ['admin', 'superadmin', 'user'];

/** Returns why an action is not offered, in a sentence; undefined if it is. */
export function refusalOf(
  { calls, title }: Pick<Action, 'calls' | 'title'>,
  isReadOnly: boolean,
  identity: Identity | null,
): string | undefined {
  if (calls === undefined) return undefined;
  const isChange = operationIn(calls).method !== 'GET';
  if (isChange && isReadOnly)
    return 'This dashboard is read-only. Start it without --read-only to make changes.';
  if (isChange && identity?.isReadOnly)
    return 'Your token is read-only. Run `backoffice login` to make changes.';
  if (identity === null || mayCall(identity.role, calls)) return undefined;
  const who = roles
    .filter((role) => mayCall(role, calls))
    .map((role) => `${role}s`)
    .join(' and ');
  return `Only ${who} can ${title[0]?.toLowerCase()}${title.slice(1)}. Your role is ${identity.role}.`;
}

const operationIn = (calls: Calls): Operation => operationOf(typeof calls === 'string' ? calls : calls[0]);

function mayCall(role: Role, calls: Calls): boolean {
  const { allow, forbid } = operationIn(calls);
  if (allow.to === 'roles' && !allow.roles.includes(role)) return false;
  // Who has a role here has a token, for which the strict rules hold.
  return forbid?.(role, typeof calls === 'string' ? {} : calls[1], true) === undefined;
}
