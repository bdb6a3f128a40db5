import type { ReactNode } from 'react';
import styles from './dialog.module.css';

/** What a dialog has, one below the other. */
export function DialogContent({ children }: { readonly children: ReactNode }) {
  return <div className={styles.content}>{children}</div>;
}

/** The buttons at the end of a dialog. The one that goes on is the last. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
