import { type ReactNode, useId } from 'react';
import { useTitle } from '../app/use-title.ts';
import styles from './page.module.css';
import parts from './parts.module.css';
import sheet from './sheet.module.css';

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
      <div className={`${sheet.row} ${styles.bar}`}>
        <h1 className={styles.title}>{title}</h1>
        {bar}
        {action && <div className={styles.action}>{action}</div>}
      </div>
      {children}
    </div>
  );
}

/** A second bar of a page, such as the filters of a tab. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <div className={`${sheet.row} ${styles.filters}`}>{children}</div>;
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
    <div className={`${styles.content} ${className}`} aria-busy={isStale || undefined}>
      {children}
    </div>
  );
}

/** Keeps the place of a drawer beside the list until its code is there. */
export const drawerPlace = () => <div data-drawer />;

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
    <section
      className={isPlain ? `${sheet.list} ${parts.plain}` : `${sheet.surface} ${parts.section}`}
      aria-labelledby={id}
    >
      <div className={parts.sectionHead}>
        <div className={parts.sectionWords}>
          <h2 id={id}>{title}</h2>
          {text !== undefined && <p className={parts.sectionText}>{text}</p>}
        </div>
        {bar !== undefined && <div className={sheet.row}>{bar}</div>}
      </div>
      {children}
    </section>
  );
}
