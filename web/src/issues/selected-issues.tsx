import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { Mark } from '../parts/mark.tsx';
import { counted, formatCount } from '../parts/numbers.ts';
import { type IssueChange, type IssueTarget, useChangeIssues } from './change-issues.tsx';
import type { IssueFilter } from './issue-search.ts';
import styles from './issues-page.module.css';

interface SelectedIssuesProps {
  readonly ids: ReadonlySet<number>;
  readonly filter: IssueFilter;
  /** How many issues the filter finds. */
  readonly total: number | undefined;
  readonly isAll: boolean;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

/** What can be done with the selected issues, or with all that the filter finds. */
export function SelectedIssues({ ids, filter, total, isAll, onSelectAll, onClear }: SelectedIssuesProps) {
  const change = useChangeIssues();
  const target: IssueTarget = isAll ? { filter } : { ids: [...ids] };
  const apply = (set: IssueChange) => change.mutate({ target, set }, { onSuccess: onClear });
  const count = isAll ? (total ?? ids.size) : ids.size;
  return (
    <section className={styles.selected} aria-label="Selected issues">
      <span>{counted(count, 'issue')} selected</span>
      {!isAll && total !== undefined && total > ids.size && canSelectAll(filter) && (
        <Button size="compact-sm" variant="subtle" onClick={onSelectAll}>
          Select all {formatCount(total)}
        </Button>
      )}
      <Choice label="Set status" isBusy={change.isPending}>
        {issueStatuses.map((status) => (
          <Menu.Item key={status} onClick={() => apply({ status })}>
            <Mark word={status} />
          </Menu.Item>
        ))}
      </Choice>
      <Choice label="Set severity" isBusy={change.isPending}>
        {severities.map((severity) => (
          <Menu.Item key={severity} onClick={() => apply({ severity })}>
            <Mark word={severity} />
          </Menu.Item>
        ))}
      </Choice>
      <Button size="compact-sm" variant="default" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}

/** Reports whether the API changes all issues of a filter: it needs a condition, and knows no assignees there. */
function canSelectAll({ sort: _sort, assignee, ...conditions }: IssueFilter): boolean {
  return assignee === undefined && Object.values(conditions).some((value) => value !== undefined);
}

interface ChoiceProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

function Choice({ label, isBusy, children }: ChoiceProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button size="compact-sm" loading={isBusy}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
