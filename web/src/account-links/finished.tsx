import { useEffect, useRef } from 'react';
import { signInPath } from '../../../src/contract/pages.ts';
import { basePath } from '../app/data/client.ts';
import styles from '../parts/card.module.css';

/** Says what has been done, to screen readers too, and leads on. */
export function Finished({ sentences }: { readonly sentences: readonly string[] }) {
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    text.current?.focus();
  }, []);
  return (
    <>
      <div ref={text} role="status" tabIndex={-1} className={styles.texts}>
        {sentences.map((sentence) => (
          <p key={sentence} className={styles.text}>
            {sentence}
          </p>
        ))}
      </div>
      <a className={styles.link} href={basePath + signInPath}>
        Go to the sign-in
      </a>
    </>
  );
}
