import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly text?: ReactNode;
  /** What is right of the title: buttons. */
  readonly bar?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page with its title, on a surface of its own. */
export function Section({ title, text, bar, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
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
