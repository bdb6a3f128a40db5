import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { SearchField } from '../parts/inputs/search-field.tsx';
import type { AuditSearch } from './audit-search.ts';

const AuditPopovers = lazyPart(() => import('./audit-popovers.tsx'), 'AuditPopovers');

export interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (part: Partial<AuditSearch>) => void;
}

/** The filters of the list, which are in the page's address. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  return (
    <>
      <SearchField label="Search the audit trail" text={search.q} onChange={(q) => onChange({ q })} />
      <Suspense fallback={<Skeleton height={36} width={220} />}>
        <AuditPopovers search={search} onChange={onChange} />
      </Suspense>
    </>
  );
}
