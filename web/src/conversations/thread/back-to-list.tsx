import { Link } from '@tanstack/react-router';
import { Icon } from '../../parts/icon.tsx';
import styles from './thread-head.module.css';

/** The way back to the list, on a phone. */
export function BackToList() {
  return (
    <Link
      to="/conversations"
      search={(before) => ({ ...before, id: undefined, show: undefined })}
      className={styles.back}
    >
      <Icon name="back" /> All
    </Link>
  );
}
