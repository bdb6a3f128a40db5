import { ActionIcon, Button, Kbd, Menu } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { signInPath } from '../../../src/contract/pages.ts';
import { Icon } from '../parts/icon.tsx';
import { client } from './client.ts';
import { useLive, useLiveState } from './live.ts';
import { Navigation } from './navigation.tsx';
import { queryClient } from './query-client.ts';
import { useSession } from './session.ts';
import styles from './shell.module.css';
import { ThemeMenu } from './theme-menu.tsx';

/* Loaded after the page, which is usable without them. */
const MenuDrawer = lazy(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const liveWords = { connecting: 'Connecting…', live: 'Live', lost: 'Reconnecting…' } as const;

/** What surrounds every page: the header, the navigation and the palette. */
export function Shell() {
  useLive();
  const live = useLiveState();
  const [isMenuOpen, menu] = useDisclosure(false);
  useHotkeys([['mod+K', spotlight.open]]);
  return (
    <div className={styles.shell}>
      <SkipLink />
      <header className={styles.header}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={styles.menuButton}
          aria-label="Menu"
          onClick={menu.open}
        >
          <Icon name="menu" />
        </ActionIcon>
        <strong className={styles.name}>Backoffice</strong>
        <span className={styles.live} data-state={live} role="status">
          {liveWords[live]}
        </span>
        <span className={styles.grow} />
        <Button
          size="compact-sm"
          variant="default"
          className={styles.palette}
          rightSection={<Kbd size="xs">Ctrl K</Kbd>}
          onClick={spotlight.open}
        >
          Go to…
        </Button>
        <ThemeMenu />
        <AccountMenu />
      </header>
      <nav className={styles.nav} aria-label="Main">
        <Navigation />
      </nav>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <Suspense>
        <MenuDrawer isOpen={isMenuOpen} onClose={menu.close} />
        <Palette />
      </Suspense>
    </div>
  );
}

/** Leads keyboards past the navigation. A link to `#main` would become a part of the address. */
function SkipLink() {
  return (
    <button type="button" className={styles.skip} onClick={() => document.getElementById('main')?.focus()}>
      Skip to the content
    </button>
  );
}

function AccountMenu() {
  const { admin } = useSession();
  const navigate = useNavigate();
  async function signOut() {
    await client.call('session.delete', {});
    await navigate({ to: signInPath, search: {} });
    queryClient.clear();
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" color="gray" rightSection={<Icon name="chevron" />}>
          {admin.username || admin.email}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {admin.email}, {admin.role}
        </Menu.Label>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
