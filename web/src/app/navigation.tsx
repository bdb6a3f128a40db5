import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pages } from '../../../src/contract/pages.ts';
import { unreadQuery } from '../conversations/conversation-queries.ts';
import { formatCount } from '../parts/numbers.ts';
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
            {path === pages.conversations.path && <Unread />}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** How many conversations have messages that nobody has read. */
function Unread() {
  const { data: unread = 0 } = useQuery(unreadQuery);
  return unread > 0 && <span className={styles.badge}>{formatCount(unread)} unread</span>;
}
