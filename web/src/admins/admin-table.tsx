import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { useMay } from '../app/session/permissions.ts';
import { useSession } from '../app/session/session.ts';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import { timeColumn } from '../parts/table/time-column.tsx';
import type { Admin } from './admin-queries.ts';
import { type AdminSearch, defaultSort } from './admin-search.ts';
import styles from './admins-page.module.css';
import { Person } from './person.tsx';
import { useAdminActions } from './use-admin-actions.ts';

const ResetFactors = lazyPart(() => import('./reset-factors.tsx'), 'ResetFactors');

interface AdminTableProps {
  readonly admins: readonly Admin[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly sort: AdminSearch['sort'];
  readonly onSort: (sort: AdminSearch['sort']) => void;
  readonly onEdit: (id: string) => void;
  readonly empty: ReactNode;
}

/** The admins, with what may be done with each of them. */
export function AdminTable(props: AdminTableProps) {
  const { admins, error, retry, sort = defaultSort, onSort, onEdit, empty } = props;
  const { admin: me } = useSession();
  const may = useMay();
  const [resetting, setResetting] = useState<Admin>();
  const actions = useAdminActions(onEdit, setResetting);
  return (
    <>
      <ShortTable
        label="Admins"
        columns={columnsOf(me.id, may('sessions.list'))}
        rows={admins}
        error={error}
        retry={retry}
        nameOf={({ email }) => email}
        actions={actions}
        sort={sort}
        onSort={(next) => onSort(next === defaultSort ? undefined : (next as AdminSearch['sort']))}
        empty={empty}
      />
      <Suspense>
        {resetting && <ResetFactors admin={resetting} onClose={() => setResetting(undefined)} />}
      </Suspense>
    </>
  );
}

function columnsOf(ownId: string, withSignIn: boolean): readonly ShortColumn<Admin>[] {
  const person: ShortColumn<Admin> = {
    title: 'Person',
    phone: 'title',
    sort: 'username',
    cell: (admin) => <Person name={admin.username} email={admin.email} isSelf={admin.id === ownId} />,
  };
  const role: ShortColumn<Admin> = {
    title: 'Role',
    phone: 'start',
    width: '120px',
    cell: ({ role }) => role,
  };
  const status: ShortColumn<Admin> = {
    title: 'Status',
    phone: 'end',
    width: '104px',
    cell: ({ is_active: isActive }) =>
      isActive === 1 ? 'Active' : <span className={styles.inactive}>Inactive</span>,
  };
  const created = timeColumn<Admin>({
    title: 'Created',
    phone: 'hidden',
    width: '136px',
    sort: 'created_at',
    isLastFirst: true,
    at: ({ created_at }) => created_at,
  });
  return [person, role, status, ...(withSignIn ? signInColumns : []), created];
}

const signInColumns: readonly ShortColumn<Admin>[] = [
  {
    title: 'Second factor',
    phone: 'hidden',
    from: 'wide',
    width: '128px',
    cell: ({ sign_in: signIn }) =>
      signIn && signIn.factors > 0 ? 'On' : <span className={styles.off}>Off</span>,
  },
  timeColumn({
    title: 'Last sign-in',
    phone: 'hidden',
    width: '152px',
    at: ({ sign_in }) => sign_in?.last_at,
    none: <span className={styles.off}>None in 90 days</span>,
  }),
];
