import { Button } from '@mantine/core';
import styles from './issue-form.module.css';

interface NowElsewhereProps {
  readonly text: string;
  /** Whether the field has that text. */
  readonly isTaken: boolean;
  readonly onTake: () => void;
}

/** What somebody else has made of a field while it is edited, below one's own text. */
export function NowElsewhere({ text, isTaken, onTake }: NowElsewhereProps) {
  if (isTaken) return null;
  return (
    <div className={styles.now} role="note">
      <span className={styles.nowLabel}>Somebody has changed it to:</span>
      <p className={styles.nowText} dir="auto">
        {text || 'empty'}
      </p>
      <Button size="compact-xs" variant="default" onClick={onTake}>
        Take this text
      </Button>
    </div>
  );
}
