import type { Operation } from '../../../src/contract/operation.ts';
import { type OperationId, operationOf } from '../../../src/contract/registry.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import type { ActionId } from './actions.ts';
import { actionOf } from './keymap.ts';
import { scopeOf } from './scopes.ts';

/** What an action calls. */
interface Call {
  readonly operation: OperationId;
  /** Any values, for an operation whose rule depends on which fields it gets. */
  readonly input?: Readonly<Record<string, unknown>>;
}

/** The calls that not every role may make. An action that is not here is for everybody who is signed in. */
const calls: Readonly<Partial<Record<string, Call>>> = {
  'admins.create': { operation: 'admins.create' },
  'admins.role': { operation: 'admins.update', input: { role: 'user' } },
  'admins.activity': { operation: 'admins.changeActivity' },
  'admins.delete': { operation: 'admins.delete' },
};

/** The screens that not every role may see, by the operation that loads them. */
const screenCalls: Readonly<Partial<Record<string, Call>>> = { audit: { operation: 'audit.list' } };

const roles: readonly Role[] = ['superadmin', 'admin', 'user'];

/** Returns why a role may not perform an action, in a sentence; undefined if it may. */
export function roleRefusal(id: ActionId, role: Role): string | undefined {
  const screen = scopeOf(id) === 'global' ? id.slice('global.'.length) : scopeOf(id);
  const call = screenCalls[screen] ?? calls[id];
  if (call === undefined || mayCall(role, call)) return undefined;
  const allowed = roles.filter((each) => mayCall(each, call)).map((each) => `${each}s`);
  const what = screenCalls[screen] === undefined ? actionOf(id).title : `The ${screen} screen`;
  const who = `You are ${role === 'admin' ? 'an' : 'a'} ${role}.`;
  return `${what}: only for ${allowed.join(' and ')}. ${who}`;
}

function mayCall(role: Role, { operation, input = {} }: Call): boolean {
  const { allow, forbid }: Operation = operationOf(operation);
  if (allow.to === 'roles' && !allow.roles.includes(role)) return false;
  // Who has a role here has a token, for which the strict rules hold.
  return forbid?.(role, input, true) === undefined;
}
