import { client } from '../app/data/client.ts';
import { isAbove } from '../app/session/permissions.ts';
import type { Session } from '../app/session/session.ts';
import type { Action } from '../kit/rows.ts';
import { type Admin, admins } from './admin-resource.tsx';

/** Who acts, and under which rules. */
type Acting = Pick<Session, 'admin' | 'rules'>;

/** Returns what the signed-in admin may not change of another: for each the reason, or undefined. The service decides. */
export function limitsOf({ admin: me, rules }: Acting, { id, role }: Pick<Admin, 'id' | 'role'>) {
  const isSelf = me.id === id;
  const isSuperadmin = me.role === 'superadmin';
  const manager = me.role === 'user' ? 'Only admins and superadmins may do this.' : undefined;
  const superadmin = isSuperadmin ? undefined : 'Only a superadmin may do this.';
  const above = rules.strict_roles && isAbove(role, me.role) ? 'Their role is above yours.' : undefined;
  const email = above ?? (rules.strict_roles && !isSelf ? superadmin : undefined);
  const another = (own: string) => (isSelf ? own : undefined);
  return {
    above,
    email,
    role: isSuperadmin ? undefined : 'Only a superadmin may change roles.',
    activity: manager ?? another('You cannot deactivate your own account.') ?? email,
    deletion: manager ?? another('You cannot delete your own account.') ?? email,
    factors: superadmin ?? another('Remove your own in your profile.'),
    sessions: another('End your own in your profile.') ?? manager ?? above,
  };
}

/** Ends all sessions of an admin, in the lists of admins and of sessions. */
export const endAllSessions = <Row extends { readonly email: string }>(
  adminOf: (row: Row) => Pick<Admin, 'id' | 'role'>,
  session: Acting,
): Action<Row> => ({
  label: 'End all their sessions',
  unless: (row) => limitsOf(session, adminOf(row)).sessions,
  ask: ({ email }) => ({
    title: `End all sessions of ${email}?`,
    text: 'They are signed out everywhere at once, and can sign in again.',
    action: 'End all sessions',
  }),
  run: (row) => client.call('sessions.revoke', { admin_id: adminOf(row).id }),
  done: ({ email }) => `All sessions of ${email} ended.`,
});

/** Activates or deactivates an admin. */
function changeActivity({ id }: Admin, is_active: 0 | 1) {
  const expected = { is_active: is_active === 1 ? 0 : 1 } as const;
  return client.call('admins.changeActivity', { id, is_active, expected });
}

/** Returns what may be done with an admin, and why something may not. */
export function actionsOf(
  session: Session,
  onResetFactors: (admin: Admin) => void,
): readonly Action<Admin>[] {
  return [
    {
      label: 'Reset second factor…',
      unless: (admin) =>
        limitsOf(session, admin).factors ?? (admin.sign_in?.factors ? undefined : 'They have none.'),
      run: onResetFactors,
    },
    endAllSessions<Admin>((admin) => admin, session),
    {
      label: 'Deactivate',
      unless: (admin) => (admin.is_active === 1 ? limitsOf(session, admin).activity : false),
      run: (admin) => changeActivity(admin, 0),
      done: ({ email }) => `${email} was deactivated, and signed out everywhere.`,
      async undo(admin) {
        await changeActivity(admin, 1);
        return `${admin.email} is active again, and has to sign in.`;
      },
    },
    {
      label: 'Activate',
      unless: (admin) => (admin.is_active === 1 ? false : limitsOf(session, admin).activity),
      run: (admin) => changeActivity(admin, 1),
      done: ({ email }) => `${email} was activated.`,
      async undo(admin) {
        await changeActivity(admin, 0);
        return `${admin.email} is inactive again.`;
      },
    },
    {
      label: 'Delete',
      isDangerous: true,
      unless: (admin) => limitsOf(session, admin).deletion,
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
