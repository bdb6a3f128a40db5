import { Fragment, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';
import styles from './parts.module.css';
import sheet from './sheet.module.css';

/** What people wrote or did, one after the other. Each child is a list item. */
export function Entries({ children }: { readonly children: ReactNode }) {
  return <ol className={sheet.stack}>{children}</ol>;
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
  return <p className={`${sheet.small} ${styles.meta}`}>{children}</p>;
}

/** A text as somebody wrote it: with its lines, and in its direction. */
export function Written({ children }: { readonly children: ReactNode }) {
  return (
    <p className={sheet.text} dir="auto">
      {children}
    </p>
  );
}

export type FactsByName = Readonly<Record<string, ReactNode>>;

/** Names and values, below each other, without what is empty. */
export function Facts({ facts }: { readonly facts: FactsByName }) {
  return (
    <dl className={styles.facts}>
      {Object.entries(facts).map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

interface FieldChangeProps<Value> {
  readonly label: string;
  /** Undefined if there was none, because the thing is new. */
  readonly before?: Value | undefined;
  /** Undefined if there is none any more. */
  readonly after?: Value | undefined;
}

/** A field before and after a change, in a line. */
export function ShortChange({ label, before, after }: FieldChangeProps<ReactNode>) {
  return (
    <p className={`${sheet.row} ${sheet.text}`}>
      <span className={sheet.quiet}>{label}</span>
      {before !== undefined && <span>{before}</span>}
      {before !== undefined && after !== undefined && (
        <span role="img" aria-label="became" className={sheet.row}>
          <Icon name="forward" />
        </span>
      )}
      {after !== undefined && <span>{after}</span>}
    </p>
  );
}

/** A long text before and after a change, which is shown on demand. */
export function LongChange({ label, before, after }: FieldChangeProps<string | null>) {
  return (
    <details>
      <summary>{before === undefined || after === undefined ? label : `${label} changed`}</summary>
      {before !== undefined && <Text title="Before" text={before} />}
      {after !== undefined && <Text title="After" text={after} />}
    </details>
  );
}

function Text({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <>
      <p className={sheet.quiet}>{title}</p>
      <Written>{text || 'Empty'}</Written>
    </>
  );
}
