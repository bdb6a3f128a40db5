import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { useMay } from '../app/session/permissions.ts';
import { GuardedButton } from '../parts/inputs/guarded-button.tsx';
import { Note } from '../parts/note.tsx';
import { BarEnd, Count, Page, PageContent } from '../parts/page/page.tsx';
import { Pager } from '../parts/table/pager.tsx';
import { AdminFilters } from './admin-filters.tsx';
import { adminsQuery } from './admin-queries.ts';
import type { AdminSearch } from './admin-search.ts';
import { AdminTable } from './admin-table.tsx';
import styles from './admins-page.module.css';

const Invitations = lazyPart(() => import('./invitations.tsx'), 'Invitations');
const AdminDialogs = lazyPart(() => import('./admin-dialogs.tsx'), 'AdminDialogs');

const route = getRouteApi('/signed-in/admins');

/** Lists who may sign in, and who is invited. */
export function AdminsPage() {
  const { dialog, edit, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const isManager = may('sessions.list');
  const { data, error, refetch } = useQuery(adminsQuery(filter, isManager));
  const reason = isManager ? undefined : 'Only admins and superadmins may do this.';
  const isFiltered = Boolean(filter.q ?? filter.role ?? filter.is_active);

  const setFilter = (part: Partial<AdminSearch>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true });
  const open = (part: Pick<AdminSearch, 'dialog' | 'edit'>) =>
    void navigate({ search: (before) => ({ ...before, dialog: undefined, edit: undefined, ...part }) });

  return (
    <Page
      title="Admins"
      bar={
        <>
          <AdminFilters search={filter} onChange={setFilter} />
          <Count count={data?.pagination.total} noun="admin" />
          <BarEnd>
            <GuardedButton variant="default" reason={reason} onClick={() => open({ dialog: 'create' })}>
              Create an admin
            </GuardedButton>
            <GuardedButton reason={reason} onClick={() => open({ dialog: 'invite' })}>
              Invite
            </GuardedButton>
          </BarEnd>
        </>
      }
    >
      <PageContent className={styles.content}>
        <AdminTable
          admins={data?.admins}
          error={error}
          retry={() => void refetch()}
          sort={filter.sort}
          onSort={(sort) => setFilter({ sort })}
          onEdit={(id) => open({ edit: id })}
          empty={
            <Note
              title="No admin matches"
              action={
                isFiltered
                  ? { label: 'Clear the filters', run: () => void navigate({ search: {} }) }
                  : { label: 'Go to the first page', run: () => setFilter({}) }
              }
            />
          }
        />
        {data && data.pagination.totalPages > 1 && (
          <Pager
            page={data.pagination.page}
            pages={data.pagination.totalPages}
            onChange={(page) => setFilter({ page: page === 1 ? undefined : page })}
          />
        )}
        <Suspense>{isManager && <Invitations />}</Suspense>
      </PageContent>
      <Suspense>
        {(dialog ?? edit) && <AdminDialogs dialog={dialog} edit={edit} onClose={() => open({})} />}
      </Suspense>
    </Page>
  );
}
