import { useSession } from '../app/session/session.ts';
import type { RowAction } from '../parts/table/row-menu.tsx';
import type { Admin } from './admin-queries.ts';
import { limitsOf } from './admin-rules.ts';

/* Loaded when they are needed. */
const changes = () => import('./change-admin.tsx');
const ends = () => import('../sessions/end-sessions.tsx');

/** Returns what may be done with an admin, and why something may not. */
export function useAdminActions(
  onEdit: (id: string) => void,
  onResetFactors: (admin: Admin) => void,
): (admin: Admin) => readonly RowAction[] {
  const session = useSession();
  return (admin) => {
    const limits = limitsOf(session, admin);
    const isActive = admin.is_active === 1;
    const hasFactors = (admin.sign_in?.factors ?? 0) > 0;
    return [
      { label: 'Edit…', run: () => onEdit(admin.id), disabled: limits.name },
      {
        label: 'Reset second factor…',
        run: () => onResetFactors(admin),
        disabled: limits.factors ?? (hasFactors ? undefined : 'They have none.'),
      },
      {
        label: 'End all sessions…',
        run: () => void ends().then(({ endAllOf }) => endAllOf({ admin_id: admin.id, email: admin.email })),
        disabled: admin.id === session.admin.id ? 'End your own in your profile.' : limits.sessions,
      },
      {
        label: isActive ? 'Deactivate' : 'Activate',
        run: () => void changes().then(({ changeActivity }) => changeActivity(admin, isActive ? 0 : 1)),
        disabled: limits.activity,
      },
      {
        label: 'Delete…',
        run: () => void changes().then(({ deleteAdmin }) => deleteAdmin(admin)),
        disabled: limits.deletion,
        isDangerous: true,
      },
    ];
  };
}
