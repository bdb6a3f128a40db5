import { Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { lazyPart } from '../../app/lazy-part.ts';
import { Icon } from '../../parts/icon.tsx';
import { SearchField } from '../../parts/inputs/search-field.tsx';
import { localTime } from '../../parts/time/moment.tsx';
import type { IssueSearch } from '../issue-search.ts';
import styles from '../issues-page.module.css';

/* The list is usable before one can choose from lists of words. */
const IssueChoices = lazyPart(() => import('./issue-choices.tsx'), 'IssueChoices');

export interface IssueFiltersProps {
  readonly search: IssueSearch;
  readonly onChange: (part: Partial<IssueSearch>) => void;
}

/** The filters of the list, which are in the page's address. On a phone, a button shows those that one chooses. */
export function IssueFilters({ search, onChange }: IssueFiltersProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const chosen = [search.status, search.severity, search.category, search.assignee].filter(Boolean).length;
  return (
    <>
      <SearchField
        label="Search issues"
        text={search.q}
        className={styles.search}
        onChange={(q) => onChange({ q })}
      />
      <Button variant="default" className={styles.more ?? ''} aria-expanded={isOpen} onClick={toggle}>
        {chosen === 0 ? 'Filters' : `Filters (${chosen})`}
      </Button>
      <div className={styles.choices} data-open={isOpen || undefined}>
        <Suspense fallback={<ChoicesSkeleton />}>
          <IssueChoices search={search} onChange={onChange} />
        </Suspense>
      </div>
      {(search.since ?? search.until) !== undefined && (
        <ReportedBetween search={search} onChange={onChange} />
      )}
    </>
  );
}

/** The times that a link of a chart set, and a button to leave them out. */
function ReportedBetween({ search: { since, until }, onChange }: IssueFiltersProps) {
  const text = [since && `from ${localTime(since)}`, until && `before ${localTime(until)}`];
  return (
    <Button
      variant="default"
      rightSection={<Icon name="close" />}
      onClick={() => onChange({ since: undefined, until: undefined })}
    >
      Reported {text.filter(Boolean).join(', ')}
      <VisuallyHidden>, clear</VisuallyHidden>
    </Button>
  );
}

/** Stands for the choices while they are loaded. */
function ChoicesSkeleton() {
  return ['status', 'severity', 'category', 'assignee'].map((name) => (
    <span key={name} className={styles.pick} data-loading />
  ));
}
