import styles from './mark.module.css';

/** A severity or a status: a sign of its own shape and colour beside the word, so that nobody needs the colour. */
export function Mark({ word }: { readonly word: string }) {
  return (
    <span className={styles.mark} data-word={word.toLowerCase()}>
      {word}
    </span>
  );
}
