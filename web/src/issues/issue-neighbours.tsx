import { ActionIcon } from '@mantine/core';
import { Icon } from '../parts/icon.tsx';
import styles from './issue-drawer.module.css';

interface IssueNeighboursProps {
  readonly previous: number | undefined;
  readonly next: number | undefined;
  readonly onShow: (id: number | undefined) => void;
}

/** Leads to the issues before and after the one in the drawer. */
export function IssueNeighbours({ previous, next, onShow }: IssueNeighboursProps) {
  return (
    <span className={styles.neighbours}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Previous issue"
        title="Previous issue (k)"
        className={styles.up}
        disabled={previous === undefined}
        onClick={() => onShow(previous)}
      >
        <Icon name="chevron" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Next issue"
        title="Next issue (j)"
        disabled={next === undefined}
        onClick={() => onShow(next)}
      >
        <Icon name="chevron" />
      </ActionIcon>
    </span>
  );
}
