import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import { isAbove } from '../app/session/permissions.ts';
import type { Session } from '../app/session/session.ts';
import type { Admin } from './admin-queries.ts';

/** Who acts, and under which rules. */
type Acting = Pick<Session, 'admin' | 'rules'>;
type Target = Pick<Admin, 'id' | 'role'>;

const above = 'Their role is above yours.';

/** What may be changed of an admin. Each is the reason why not, or undefined. The service decides. */
interface AdminLimits {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly role: string | undefined;
  readonly activity: string | undefined;
  readonly deletion: string | undefined;
  readonly factors: string | undefined;
  readonly sessions: string | undefined;
}

/** Returns what the signed-in admin may not change of another, with the reasons. */
export function limitsOf({ admin: me, rules }: Acting, target: Target): AdminLimits {
  const isSelf = me.id === target.id;
  const isManager = me.role !== 'user';
  const isSuperadmin = me.role === 'superadmin';
  const strictlyAbove = rules.strict_roles && isAbove(target.role, me.role) ? above : undefined;
  const strictlyOthers =
    rules.strict_roles && !isSuperadmin && !isSelf ? 'Only a superadmin may do this.' : undefined;
  const manager = isManager ? undefined : 'Only admins and superadmins may do this.';
  return {
    name: strictlyAbove,
    email: strictlyAbove ?? strictlyOthers,
    role: isSuperadmin ? undefined : 'Only a superadmin may change roles.',
    activity:
      manager ??
      (isSelf ? 'You cannot deactivate your own account.' : undefined) ??
      strictlyAbove ??
      strictlyOthers,
    deletion:
      manager ??
      (isSelf ? 'You cannot delete your own account.' : undefined) ??
      strictlyAbove ??
      strictlyOthers,
    factors: isSuperadmin
      ? isSelf
        ? 'Remove your own in your profile.'
        : undefined
      : 'Only a superadmin may do this.',
    sessions: manager ?? strictlyAbove,
  };
}

/** Returns the roles that the signed-in admin may give to a new account. */
export function rolesToGive({ admin, rules }: Acting): readonly Role[] {
  return rules.strict_roles && admin.role !== 'superadmin'
    ? roles.filter((role) => role !== 'superadmin')
    : roles;
}
