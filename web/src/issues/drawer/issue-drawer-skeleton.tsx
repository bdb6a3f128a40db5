import { Skeleton } from '@mantine/core';
import styles from './issue-drawer.module.css';

/** Stands for an issue while it is loaded. */
export function IssueDrawerSkeleton() {
  return (
    <div className={styles.details} data-loading aria-hidden="true">
      <Skeleton height={26} width="70%" />
      <Skeleton height={136} />
      <Skeleton height={96} />
      <Skeleton height={72} />
    </div>
  );
}
