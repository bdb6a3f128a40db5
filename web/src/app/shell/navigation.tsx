import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { pages } from '../../../../src/contract/pages.ts';
import { unreadQuery } from '../../conversations/conversation-outside.ts';
import { Icon } from '../../parts/icon.tsx';
import { formatCount } from '../../parts/numbers.ts';
import { useMay } from '../session/permissions.ts';
import styles from './navigation.module.css';

type PageKey = keyof typeof pages;

/** The groups of the navigation, with each page's letter: `g` and then the letter lead to it. */
const groups = [
  {
    title: 'Work',
    letters: { overview: 'o', issues: 'i', charts: 'h', conversations: 'c', savedReplies: 'd' },
  },
  { title: 'Services', letters: { usage: 'u', scraping: 'r', connect: 'n' } },
  { title: 'Administration', letters: { settings: 's', admins: 'a', audit: 'l', webhooks: 'w' } },
  { title: 'Access', letters: { tokens: 't', sessions: 'e', profile: 'p' } },
] as const;

/** Returns the pages that the signed-in admin may see, in groups, each with the shortcut that leads to it. */
export function usePageGroups() {
  const may = useMay();
  return groups
    .map(({ title, letters }) => ({
      title,
      links: Object.entries(letters)
        .map(([name, letter]) => {
          const key = name as PageKey;
          return { key, ...pages[key], shortcut: `g ${letter}` };
        })
        .filter(({ needs }) => may(needs)),
    }))
    .filter(({ links }) => links.length > 0);
}

/** The links to all pages. */
export function Navigation({ onChoose }: { readonly onChoose?: () => void }) {
  return usePageGroups().map((group) => <Group key={group.title} group={group} onChoose={onChoose} />);
}

interface GroupProps {
  readonly group: ReturnType<typeof usePageGroups>[number];
  readonly onChoose: (() => void) | undefined;
}

function Group({ group: { title, links }, onChoose }: GroupProps) {
  const id = useId();
  return (
    <>
      <div id={id} className={styles.title}>
        {title}
      </div>
      <ul className={styles.links} aria-labelledby={id}>
        {links.map(({ key, path, title: name }) => (
          <li key={key}>
            <Link
              to={path}
              className={styles.link}
              activeProps={{ 'data-active': true, 'aria-current': 'page' }}
              activeOptions={{ exact: path === '/', includeSearch: false }}
              onClick={onChoose}
            >
              <Icon name={key} />
              <span className={styles.name}>{name}</span>
              {key === 'conversations' && <Unread />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How many conversations have messages that nobody has read. */
function Unread() {
  const { data: unread = 0 } = useQuery(unreadQuery);
  return (
    unread > 0 && (
      <span className={styles.badge}>
        {formatCount(unread)}
        <VisuallyHidden> unread</VisuallyHidden>
      </span>
    )
  );
}
