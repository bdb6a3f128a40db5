import { Button } from '@mantine/core';
import { formatCount } from '../numbers.ts';
import styles from './pager.module.css';

interface PagerProps {
  /** The page that is shown, from 1 on. */
  readonly page: number;
  readonly pages: number;
  readonly onChange: (page: number) => void;
}

/** Leads to the pages before and after this one. */
export function Pager({ page, pages, onChange }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label="Pages">
      <Button
        size="compact-sm"
        variant="default"
        disabled={page <= 1}
        onClick={() => onChange(Math.min(page - 1, pages))}
      >
        Previous
      </Button>
      <span className={styles.text}>
        Page {formatCount(page)} of {formatCount(pages)}
      </span>
      <Button size="compact-sm" variant="default" disabled={page >= pages} onClick={() => onChange(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
