import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { commandKey } from '../commands/command-key.ts';
import { useLive, useLiveState } from '../data/live.ts';
import { useDesktopNotices } from '../desktop-notices/announce.ts';
import { lazyPart } from '../lazy-part.ts';
import { PageGuard } from '../page-guard.tsx';
import { openPalette, useTypeAhead } from '../palette/type-ahead.ts';
import { useSession } from '../session/session.ts';
import { useEndingSession } from '../session/session-end.ts';
import { Brand } from '../theme/branding.tsx';
import { accountButton } from './account-button.tsx';
import { NoticeBar } from './notice-bar.tsx';
import styles from './shell.module.css';
import { useShellShortcuts } from './shell-shortcuts.ts';
import { Side } from './side.tsx';
import { sheetSwitch } from './switches.ts';

/* Loaded after the page, which is usable without them. */
const HeaderMenus = lazyPart(() => import('./header-menus.tsx'), 'HeaderMenus');
const MenuDrawer = lazyPart(() => import('./menu-drawer.tsx'), 'MenuDrawer');
const Palette = lazyPart(() => import('../palette/palette.tsx'), 'Palette');
const SessionNotice = lazyPart(() => import('../../session/session-notice.tsx'), 'SessionNotice');
const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx'), 'ShortcutSheet');

const liveWords = { connecting: 'Connecting…', live: 'Live', lost: 'Reconnecting…' } as const;

/** What surrounds every page: the header, the navigation and the palette. */
export function Shell() {
  useLive();
  const ending = useEndingSession();
  useDesktopNotices();
  const live = useLiveState();
  const [isMenuOpen, menu] = useDisclosure(false);
  const isSheetOpen = sheetSwitch.use();
  useTypeAhead();
  useShellShortcuts();
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
        <Brand />
        <span className={styles.live} data-state={live} role="status">
          {liveWords[live]}
        </span>
        <span className={styles.grow} />
        <Button
          size="compact-sm"
          variant="default"
          className={styles.palette}
          rightSection={<Kbd size="xs">{commandKey} K</Kbd>}
          onClick={openPalette}
        >
          Go to…
        </Button>
        <Suspense fallback={<MenuPlaces />}>
          <HeaderMenus />
        </Suspense>
      </header>
      <NoticeBar />
      <Side />
      <main id="main" tabIndex={-1} className={styles.main}>
        <PageGuard />
      </main>
      <Suspense>
        <MenuDrawer isOpen={isMenuOpen} onClose={menu.close} />
        <Palette />
        <ShortcutSheet isOpen={isSheetOpen} onClose={() => sheetSwitch.set(false)} />
      </Suspense>
      <Suspense>{ending && <SessionNotice ending={ending} />}</Suspense>
    </div>
  );
}

/** Keeps the places of the menus until they are loaded, so that nothing jumps. */
function MenuPlaces() {
  const { admin } = useSession();
  return (
    <span className={styles.menuPlaces} aria-hidden="true">
      <ActionIcon component="span" variant="subtle" color="gray">
        <Icon name="theme" />
      </ActionIcon>
      <Button component="span" {...accountButton}>
        {admin.username || admin.email}
      </Button>
    </span>
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
