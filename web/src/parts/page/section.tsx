import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

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
    <section className={isPlain ? styles.plain : styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          {text !== undefined && <p className={styles.text}>{text}</p>}
        </div>
        {bar !== undefined && <div className={styles.bar}>{bar}</div>}
      </div>
      {children}
    </section>
  );
}
