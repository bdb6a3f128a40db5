import { VisuallyHidden } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { pages } from '../../../../src/contract/pages.ts';
import { unreadQuery } from '../../conversations/conversation-outside.ts';
import { Icon } from '../../parts/icon.tsx';
import sheet from '../../parts/sheet.module.css';
import { formatCount } from '../../parts/words.ts';
import { openPalette, sheetSwitch } from '../commands/commands.ts';
import { commandKey, pressedKey } from '../commands/keys.ts';
import { everywhere, useShortcutKeys, useShortcuts } from '../commands/shortcuts.ts';
import { useMay } from '../session/permissions.ts';
import styles from './shell.module.css';

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

export type PageLink = ReturnType<typeof usePageGroups>[number]['links'][number];

/** The links to all pages. */
export function Navigation({ onChoose }: { readonly onChoose?: () => void }) {
  return usePageGroups().map(({ title: group, links }) => (
    <Fragment key={group}>
      <div className={`${sheet.small} ${styles.navTitle}`} aria-hidden="true">
        {group}
      </div>
      <ul className={`${sheet.list} ${styles.links}`} aria-label={group}>
        {links.map(({ key, path, title }) => (
          <li key={key}>
            <Link
              to={path}
              className={styles.link}
              activeProps={{ 'data-active': true, 'aria-current': 'page' }}
              activeOptions={{ exact: path === '/', includeSearch: false }}
              onClick={onChoose}
            >
              <Icon name={key} />
              <span className={sheet.grow}>{title}</span>
              {key === 'conversations' && <Unread />}
            </Link>
          </li>
        ))}
      </ul>
    </Fragment>
  ));
}

/** How many conversations have messages that nobody has read. */
function Unread() {
  const { data: unread = 0 } = useQuery(unreadQuery);
  return (
    unread > 0 && (
      <span className={sheet.badge}>
        {formatCount(unread)}
        <VisuallyHidden> unread</VisuallyHidden>
      </span>
    )
  );
}

/** Offers the shortcuts that work on every page. */
export function useShellShortcuts(): void {
  const navigate = useNavigate();
  const links = usePageGroups().flatMap((group) => group.links);
  const may = useMay();
  const report = () => void navigate({ to: pages.issues.path, search: { report: 'true' } });
  useShortcutKeys();
  // Also from within a field, where no other shortcut works.
  useWindowEvent('keydown', (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isCommand || pressedKey(event).toLowerCase() !== 'k') return;
    event.preventDefault();
    openPalette();
  });
  useShortcuts(everywhere, [
    { keys: '?', title: 'Show the shortcuts', inDialogs: true, run: () => sheetSwitch.set(true) },
    { keys: `${commandKey} K`, title: 'Find a page, an action, a thing' },
    // A page with a search has this key for it.
    { keys: '/', title: 'Search', run: openPalette },
    ...(may('issues.create') ? [{ keys: 'c', title: 'Report an issue', run: report }] : []),
    ...links.map(({ shortcut, path, title }) => ({
      keys: shortcut,
      title: `Go to ${title}`,
      run: () => void navigate({ to: path }),
    })),
  ]);
}
