import { Link } from '@tanstack/react-router';
import { pages } from '../../../src/contract/pages.ts';
import { useMay } from './permissions.ts';
import styles from './shell.module.css';

/** Returns the pages that the signed-in admin may see. */
export function usePages() {
  const may = useMay();
  return Object.values(pages).filter(({ needs }) => may(needs));
}

/** The links to all pages. */
export function Navigation({ onChoose }: { readonly onChoose?: () => void }) {
  return (
    <ul className={styles.links}>
      {usePages().map(({ path, title }) => (
        <li key={path}>
          <Link
            to={path}
            className={styles.link}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
            activeOptions={{ exact: path === '/', includeSearch: false }}
            onClick={onChoose}
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
