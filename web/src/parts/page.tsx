import type { ReactNode } from 'react';
import { useTitle } from '../app/use-title.ts';
import styles from './page.module.css';
import { PrintedAt } from './time/printed-at.tsx';

interface PageProps {
  readonly title: string;
  /** What is right of the title: filters and buttons. */
  readonly bar?: ReactNode;
  /** The button for what one does most, at the right end; on a phone beside the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title, which is the one of the window too. The content below scrolls by itself. */
export function Page({ title, bar, action, children }: PageProps) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <h1 className={styles.title}>{title}</h1>
        {bar}
        {action && <div className={styles.action}>{action}</div>}
        <PrintedAt className={styles.printed} />
      </div>
      {children}
    </div>
  );
}
