import { client } from '../app/data/client.ts';
import { isAbove } from '../app/session/permissions.ts';
import type { Session } from '../app/session/session.ts';
import type { Action } from '../kit/rows.ts';
import { endAllOf } from '../sessions/end-all.ts';
import { type Admin, admins } from './admin-resource.tsx';

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

/** Returns what may be done with an admin, and why something may not. */
export function actionsOf(
  session: Session,
  onResetFactors: (admin: Admin) => void,
): readonly Action<Admin>[] {
  const limits = (admin: Admin) => limitsOf(session, admin);
  const changeActivity = (id: string, is_active: 0 | 1) =>
    client.call('admins.changeActivity', { id, is_active, expected: { is_active: is_active === 1 ? 0 : 1 } });
  return [
    {
      label: 'Reset second factor…',
      unless: (admin) =>
        limits(admin).factors ?? ((admin.sign_in?.factors ?? 0) > 0 ? undefined : 'They have none.'),
      run: onResetFactors,
    },
    {
      label: 'End all their sessions',
      unless: (admin) =>
        admin.id === session.admin.id ? 'End your own in your profile.' : limits(admin).sessions,
      ask: endAllOf,
      run: ({ id }) => client.call('sessions.revoke', { admin_id: id }),
      done: ({ email }) => `All sessions of ${email} ended.`,
    },
    {
      label: 'Deactivate',
      unless: (admin) => (admin.is_active === 1 ? limits(admin).activity : false),
      run: ({ id }) => changeActivity(id, 0),
      done: ({ email }) => `${email} was deactivated, and signed out everywhere.`,
      async undo({ id, email }) {
        await changeActivity(id, 1);
        return `${email} is active again, and has to sign in.`;
      },
    },
    {
      label: 'Activate',
      unless: (admin) => (admin.is_active === 1 ? false : limits(admin).activity),
      run: ({ id }) => changeActivity(id, 1),
      done: ({ email }) => `${email} was activated.`,
      async undo({ id, email }) {
        await changeActivity(id, 0);
        return `${email} is inactive again.`;
      },
    },
    {
      label: 'Delete',
      isDangerous: true,
      unless: (admin) => limits(admin).deletion,
      ask: ({ email, username, role }) => ({
        title: `Delete ${email}?`,
        text: (
          <>
            <p>
              {username || email} ({role}) can never sign in again. These end with the account:
            </p>
            <ul>
              <li>sessions and API tokens</li>
              <li>second factors and recovery codes</li>
              <li>invitations that the account has sent</li>
            </ul>
            <p>
              Issues and conversations assigned to it become unassigned. What it wrote stays. To keep the
              account, deactivate it instead.
            </p>
          </>
        ),
        action: 'Delete admin',
        // A superadmin is the hardest to get back.
        typed: role === 'superadmin' ? email : undefined,
      }),
      run: async ({ id }) => {
        await client.call('admins.delete', { id });
        await admins.reload();
      },
      done: ({ email }) => `${email} was deleted.`,
    },
  ];
}
