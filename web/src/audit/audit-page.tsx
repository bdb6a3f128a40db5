import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { Failure } from '../parts/failure.tsx';
import { Page } from '../parts/page/page.tsx';
import { DataGridSkeleton } from '../parts/table/data-grid/data-grid-skeleton.tsx';
import { auditColumns } from './audit-columns.tsx';
import { AuditEntries } from './audit-entries.tsx';
import { auditFilter } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { auditQuery } from './audit-queries.ts';
import type { AuditSearch } from './audit-search.ts';
import { ChosenFilters } from './chosen-filters.tsx';

const AuditDrawer = lazyPart(() => import('./audit-drawer.tsx'), 'AuditDrawer');

const route = getRouteApi('/signed-in/audit');

/** Shows who changed what, when and from where, as it happens. */
export function AuditPage() {
  const { entry, follow, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const words = JSON.stringify(search);
  const filter = useMemo(() => auditFilter(search), [words]);
  const list = useInfiniteQuery(auditQuery(filter));
  const change = (part: Partial<AuditSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const open = (id: number | undefined) => void navigate({ search: (before) => ({ ...before, entry: id }) });

  return (
    <Page title="Audit" bar={<AuditFilters search={search} onChange={change} />}>
      <ChosenFilters search={search} onChange={change} />
      {list.data !== undefined && (
        <AuditEntries
          // Each list has its own new entries.
          key={words}
          filter={filter}
          list={list}
          current={entry}
          isFollowing={follow !== 'no'}
          onFollow={(isOn) => change({ follow: isOn ? undefined : 'no' })}
          onOpen={open}
          onClear={() => void navigate({ search: {} })}
        />
      )}
      {list.data === undefined && list.isError && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      {list.isPending && <DataGridSkeleton columns={auditColumns} />}
      <Suspense>
        <AuditDrawer id={entry} onClose={() => open(undefined)} />
      </Suspense>
    </Page>
  );
}
