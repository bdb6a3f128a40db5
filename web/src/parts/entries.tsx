import { Fragment, type ReactNode } from 'react';
import { Moment } from './moment.tsx';
import styles from './parts.module.css';
import sheet from './sheet.module.css';

/** What people wrote or did, one after the other. Each child is a list item. */
export function Entries({ children }: { readonly children: ReactNode }) {
  return <ol className={styles.entries}>{children}</ol>;
}

interface EntryProps {
  readonly author: string;
  /** What tells the author from others of the same name. */
  readonly authorTitle?: string | null | undefined;
  readonly at: string;
  /** What is beside the author and the time. */
  readonly note?: ReactNode;
  /** The buttons at the right end. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What somebody wrote or did: who it was and when, and the content below. */
export function Entry({ author, authorTitle, at, note, actions, children }: EntryProps) {
  return (
    <article className={styles.entry}>
      <EntryNote>
        <bdi className={styles.author} title={authorTitle ?? undefined}>
          {author}
        </bdi>
        <Moment at={at} />
        {note && <span>{note}</span>}
        {actions && <span className={styles.entryActions}>{actions}</span>}
      </EntryNote>
      {children}
    </article>
  );
}

/** A small line among entries, such as that they are loaded. */
export function EntryNote({ children }: { readonly children: ReactNode }) {
  return <p className={styles.meta}>{children}</p>;
}

/** A text as somebody wrote it: with its lines, and in its direction. */
export function Written({ children }: { readonly children: ReactNode }) {
  return (
    <p className={sheet.text} dir="auto">
      {children}
    </p>
  );
}

/** Names and values, below each other. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
