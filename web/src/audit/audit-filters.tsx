import { Button, Popover } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { PeriodFilter } from '../parts/period-filter.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { auditPeriod } from './audit-filter.ts';
import styles from './audit-page.module.css';
import type { AuditSearch } from './audit-search.ts';

const MoreFilters = lazy(async () => ({ default: (await import('./more-filters.tsx')).MoreFilters }));

export interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (part: Partial<AuditSearch>) => void;
}

/** The filters of the list, which are in the page's address. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <SearchField
        label="Search the audit trail"
        text={search.q}
        className={styles.search}
        onChange={(q) => onChange({ q })}
      />
      <PeriodFilter period={auditPeriod(search)} onChange={onChange} />
      <Popover
        opened={isOpen}
        onChange={setIsOpen}
        position="bottom-start"
        shadow="md"
        width="min(360px, calc(100vw - 24px))"
        trapFocus
      >
        <Popover.Target>
          <Button variant="default" rightSection={<Icon name="chevron" />} onClick={() => setIsOpen(!isOpen)}>
            Filters
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Filters" className={styles.filters ?? ''}>
          <Suspense>{isOpen && <MoreFilters search={search} onChange={onChange} />}</Suspense>
        </Popover.Dropdown>
      </Popover>
    </>
  );
}
