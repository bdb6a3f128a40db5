import { type ReactNode, useId } from 'react';
import { useTitle } from '../app/use-title.ts';
import { counted } from './numbers.ts';
import styles from './page.module.css';
import parts from './parts.module.css';

interface PageProps {
  readonly title: string;
  /** What is right of the title: filters and buttons. */
  readonly bar?: ReactNode;
  /** The buttons for what one does most, at the right end; on a phone beside the title if they fit. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title, which is the one of the window too. Its content is a `PageContent`, or fills the page. */
export function Page({ title, bar, action, children }: PageProps) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <h1 className={styles.title}>{title}</h1>
        {bar}
        {action && <div className={styles.action}>{action}</div>}
      </div>
      {children}
    </div>
  );
}

interface CountProps {
  /** Undefined while it is loaded. */
  readonly count: number | undefined;
  /** What is counted, such as `issue`. */
  readonly noun: string;
  readonly plural?: string;
  readonly className?: string | undefined;
}

/** How many things the filters of a page find. It is read out when that changes. */
export function Count({ count, noun, plural, className = '' }: CountProps) {
  return (
    <span className={`${styles.count} ${className}`} aria-live="polite">
      {count !== undefined && counted(count, noun, plural)}
    </span>
  );
}

/** A second bar of a page, such as the filters of a tab. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>;
}

interface PageContentProps {
  readonly className?: string | undefined;
  /** Whether it is out of date, and what takes its place is on its way. */
  readonly isStale?: boolean;
  readonly children: ReactNode;
}

/** What a page has below its bar. It scrolls by itself. */
export function PageContent({ className = '', isStale = false, children }: PageContentProps) {
  return (
    <div
      className={`${styles.content} ${className}`}
      data-stale={isStale || undefined}
      aria-busy={isStale || undefined}
    >
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly text?: ReactNode;
  /** What is right of the title: buttons. */
  readonly bar?: ReactNode;
  /** Whether it has no surface of its own, because what is in it has. */
  readonly isPlain?: boolean;
  readonly children?: ReactNode;
}

/** A part of a page with its title. */
export function Section({ title, text, bar, isPlain = false, children }: SectionProps) {
  const id = useId();
  return (
    <section className={isPlain ? parts.plain : parts.section} aria-labelledby={id}>
      <div className={parts.sectionHead}>
        <div className={parts.sectionWords}>
          <h2 id={id} className={parts.sectionTitle}>
            {title}
          </h2>
          {text !== undefined && <p className={parts.sectionText}>{text}</p>}
        </div>
        {bar !== undefined && <div className={parts.sectionBar}>{bar}</div>}
      </div>
      {children}
    </section>
  );
}
