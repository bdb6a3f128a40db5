import { Button, Popover } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { Icon } from '../parts/icon.tsx';
import { PeriodFilter } from '../parts/time/period-filter.tsx';
import { auditPeriod } from './audit-filter.ts';
import type { AuditFiltersProps } from './audit-filters.tsx';
import styles from './audit-page.module.css';

const MoreFilters = lazyPart(() => import('./more-filters.tsx'), 'MoreFilters');

/** The filters that open over the list. */
export function AuditPopovers({ search, onChange }: AuditFiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
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
