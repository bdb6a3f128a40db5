import { ActionIcon } from '@mantine/core';
import { useShortcuts } from '../../app/commands/shortcuts.ts';
import { Icon } from '../../parts/icon.tsx';
import type { IssueFilter } from '../issue-search.ts';
import { useIssues } from '../list/use-issues.ts';
import styles from './issue-drawer.module.css';

interface IssueNeighboursProps {
  readonly id: number;
  /** The filter of the list. */
  readonly filter: IssueFilter;
  readonly onShow: (id: number) => void;
}

/** Leads to the issues before and after one in the list, by buttons and by keys. */
export function IssueNeighbours({ id, filter, onShow }: IssueNeighboursProps) {
  const { issues, loadMore } = useIssues(filter);
  const index = issues.findIndex((issue) => issue.id === id);
  const previous = issues[index - 1]?.id;
  const next = index === -1 ? undefined : issues[index + 1]?.id;
  function showPrevious(): void {
    if (previous !== undefined) onShow(previous);
  }
  function showNext(): void {
    if (next === undefined) loadMore();
    else onShow(next);
  }
  useShortcuts('Issue', [
    { keys: 'j', title: 'Next issue', inDialogs: true, run: showNext },
    { keys: 'k', title: 'Previous issue', inDialogs: true, run: showPrevious },
  ]);
  return (
    <span className={styles.neighbours}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Previous issue"
        title="Previous issue (k)"
        className={styles.up}
        disabled={previous === undefined}
        onClick={showPrevious}
      >
        <Icon name="chevron" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Next issue"
        title="Next issue (j)"
        disabled={next === undefined}
        onClick={showNext}
      >
        <Icon name="chevron" />
      </ActionIcon>
    </span>
  );
}
