import { Skeleton } from '@mantine/core';
import styles from './thread-placeholder.module.css';

/** Stands for a conversation that is being loaded. */
export function ThreadPlaceholder() {
  return (
    <div className={styles.placeholder} aria-hidden="true" data-loading>
      <Skeleton height={36} width="50%" />
      <Skeleton height={64} width="60%" />
      <Skeleton height={64} width="60%" className={styles.reply ?? ''} />
      <Skeleton height={64} width="40%" />
    </div>
  );
}
