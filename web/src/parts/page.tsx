import type { ReactNode } from 'react';
import { useTitle } from '../app/use-title.ts';
import styles from './page.module.css';
import { PrintedAt } from './printed-at.tsx';

interface PageProps {
  readonly title: string;
  /** What is right of the title: filters and buttons. */
  readonly bar?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title, which is the one of the window too. The content below scrolls by itself. */
export function Page({ title, bar, children }: PageProps) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <h1 className={styles.title}>{title}</h1>
        {bar}
        <PrintedAt className={styles.printed} />
      </div>
      {children}
    </div>
  );
}
