import { Button } from '@mantine/core';
import { useMay } from '../../app/session/permissions.ts';
import { confirm } from '../../parts/dialogs/confirm.tsx';
import { GuardedButton } from '../../parts/inputs/guarded-button.tsx';
import { counted, formatCount } from '../../parts/numbers.ts';
import type { IssueFilter } from '../issue-search.ts';
import type { IssueChange } from '../issue-updates.ts';
import { useBulkChange } from '../use-change-issues.ts';
import type { IssueTarget } from './bulk-change.ts';
import { BulkMenus } from './bulk-menus.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import styles from './selected-issues.module.css';

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
  const { change, remove, done, isRunning, cancel } = useBulkChange();
  const mayDelete = useMay()('issues.delete');
  const target: IssueTarget = isAll ? { filter } : { ids: [...ids] };
  const count = isAll ? (total ?? ids.size) : ids.size;
  const selected = counted(count, 'issue');
  const apply = (set: IssueChange) => change.mutate({ target, set }, { onSuccess: onClear });

  async function askToDelete(): Promise<void> {
    const [only] = ids;
    const isSure = await confirm({
      title: count === 1 && !isAll ? `Delete issue ${only}?` : `Delete ${selected}?`,
      text: 'Their comments, links and history are deleted too. This cannot be undone.',
      action: count === 1 ? 'Delete issue' : `Delete ${selected}`,
      typed: isAll ? formatCount(count) : undefined,
    });
    if (isSure) remove.mutate(target, { onSuccess: onClear });
  }

  return (
    <section className={styles.bar} aria-label="Selected issues">
      <span className={styles.count}>{selected} selected</span>
      {isRunning ? (
        <BulkProgress done={done} count={count} onCancel={cancel} />
      ) : (
        <>
          {!isAll && total !== undefined && total > ids.size && (
            <Button size="compact-sm" variant="subtle" className={styles.all ?? ''} onClick={onSelectAll}>
              Select all {formatCount(total)}
            </Button>
          )}
          <BulkMenus onChoose={apply} />
          <GuardedButton
            size="compact-sm"
            variant="default"
            reason={mayDelete ? undefined : 'Only admins may delete issues.'}
            onClick={() => void askToDelete()}
          >
            Delete
          </GuardedButton>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            className={styles.clear ?? ''}
            onClick={onClear}
          >
            Clear
          </Button>
        </>
      )}
    </section>
  );
}
