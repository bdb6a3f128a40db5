import { Button, Progress } from '@mantine/core';
import { formatCount } from '../../parts/numbers.ts';
import styles from './selected-issues.module.css';

interface BulkProgressProps {
  readonly done: number;
  readonly count: number;
  /** Ends it before its next call. What is done stays, and can be undone. */
  readonly onCancel: () => void;
}

/** How far a change of many issues has come. */
export function BulkProgress({ done, count, onCancel }: BulkProgressProps) {
  return (
    <>
      <Progress
        className={styles.progress ?? ''}
        value={(100 * done) / Math.max(count, 1)}
        aria-label="Issues that are done"
        animated
      />
      <span className={styles.done} aria-live="polite">
        {formatCount(done)} of {formatCount(count)} done
      </span>
      <Button size="compact-sm" variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}
