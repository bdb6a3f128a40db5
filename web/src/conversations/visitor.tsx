import { Link } from '@tanstack/react-router';
import type { Thread } from './conversation-queries.ts';
import styles from './conversations-page.module.css';

/** The visitor of a conversation, with the issues that came of it. */
export function Visitor({ thread: { conversation, issues } }: { readonly thread: Thread }) {
  return (
    <aside className={styles.visitor} aria-label="Visitor">
      <h2 className={styles.threadTitle}>{conversation?.visitor_name}</h2>
      <p className={styles.text}>{conversation?.visitor_email}</p>
      <h3 className={styles.heading}>Issues</h3>
      {issues.length === 0 && <p className={styles.meta}>None</p>}
      <ul className={styles.issues}>
        {issues.map(({ id, title }) => (
          <li key={id}>
            <Link to="/issues" search={{ issue: id }} className={styles.link}>
              {id} {title}
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  );
}
