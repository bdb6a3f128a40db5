import { operations } from 'virtual:operations';
import { Button, Kbd, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useChildMatches, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { pages } from '../../../../src/contract/pages.ts';
import type { Role } from '../../../../src/contract/vocabulary.ts';
import { withdrawQuestions } from '../../form/confirm.tsx';
import { IconButton } from '../../parts/buttons.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import sheet from '../../parts/sheet.module.css';
import { openPalette } from '../commands/commands.ts';
import { commandKey } from '../commands/keys.ts';
import { useLive, useLiveState } from '../data/live.ts';
import { keptKey, keptTexts } from '../kept.ts';
import { lazyPart, loadPart } from '../lazy-part.ts';
import { useDesktopNotices } from '../notices.ts';
import { useMay } from '../session/permissions.ts';
import { useSession } from '../session/session.ts';
import { useEndingSession } from '../session/session-end.ts';
import { Brand } from '../theme/branding.tsx';
import { shownPage } from '../use-title.ts';
import { Navigation, useShellShortcuts } from './navigation.tsx';
import { NoticeBar } from './notice-bar.tsx';
import styles from './shell.module.css';

/* Loaded after the page, which is usable without them. */
const HeaderMenus = lazyPart(
  () => import('./header-menus.tsx'),
  'HeaderMenus',
  ({ theme, account }) => (
    <span style={{ display: 'contents' }} aria-hidden="true" inert>
      {theme}
      {account}
    </span>
  ),
);
const MenuDrawer = lazyPart(() => import('./overlays.tsx'), 'MenuDrawer');
const Palette = lazyPart(() => import('../palette/palette.tsx'), 'Palette');
const SessionNotice = lazyPart(() => import('./overlays.tsx'), 'SessionNotice');
const ShortcutSheet = lazyPart(() => import('./overlays.tsx'), 'ShortcutSheet');

const liveWords = { connecting: 'Connecting…', live: 'Live', lost: 'Reconnecting…' } as const;

/** What surrounds every page: the header, the navigation and the palette. */
export function Shell() {
  useLive();
  const ending = useEndingSession();
  useDesktopNotices();
  useWaitingReplies();
  const live = useLiveState();
  const [isMenuOpen, menu] = useDisclosure(false);
  const { admin } = useSession();
  useShellShortcuts();
  // A question of a page that is gone, such as after the end of the session, would lie over the sign-in.
  useEffect(() => withdrawQuestions, []);
  const buttons = {
    theme: <IconButton icon="theme" label="Theme" />,
    account: (
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        maw="min(240px, 28vw)"
        rightSection={<Icon name="chevron" />}
      >
        {admin.username || admin.email}
      </Button>
    ),
  };
  return (
    <div className={styles.shell}>
      {/* A link to `#main` would become a part of the address. */}
      <button type="button" className={styles.skip} onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header className={styles.header}>
        <IconButton icon="menu" label="Menu" className={styles.menuButton ?? ''} onClick={menu.open} />
        <Brand />
        <span className={`${sheet.small} ${styles.live}`} data-state={live} role="status">
          {liveWords[live]}
        </span>
        <span className={sheet.grow} />
        <Button
          size="compact-sm"
          variant="default"
          className={styles.palette}
          rightSection={<Kbd size="xs">{commandKey} K</Kbd>}
          onClick={openPalette}
        >
          Go to…
        </Button>
        <HeaderMenus {...buttons} />
      </header>
      <NoticeBar />
      <nav className={styles.nav} aria-label="Main">
        <Navigation />
      </nav>
      <VisuallyHidden aria-live="polite">{shownPage.use()}</VisuallyHidden>
      <main id="main" tabIndex={-1} className={styles.main}>
        <PageGuard />
      </main>
      <MenuDrawer isOpen={isMenuOpen} onClose={menu.close} />
      <Palette />
      <ShortcutSheet />
      {ending && <SessionNotice ending={ending} />}
    </div>
  );
}

/** Sends the replies that wait for the service whenever the page is connected: after an outage, a sign-in or a closed tab. */
function useWaitingReplies(): void {
  const { admin, isLimited } = useSession();
  const isLive = useLiveState() === 'live';
  useEffect(() => {
    async function send(): Promise<void> {
      if (isLimited || keptTexts(keptKey(admin.id, 'outbox')).length === 0) return;
      const { sendWaiting } = await loadPart(() => import('../../conversations/reply-outbox.ts'));
      sendWaiting(admin.id);
    }
    if (isLive) void send();
    // The stream of events may have survived a short outage.
    addEventListener('online', send);
    return () => removeEventListener('online', send);
  }, [admin.id, isLimited, isLive]);
}

/** Shows the page of the address, or says who may see it. */
function PageGuard() {
  // Not the address, which changes before the page does.
  const path = useChildMatches({ select: ([match]) => match?.fullPath });
  const may = useMay();
  const navigate = useNavigate();
  const page = Object.values(pages).find((known) => known.path === path);
  if (page === undefined || may(page.needs)) return <Outlet />;
  const who = new Intl.ListFormat('en').format(operations[page.needs].roles.map((role: Role) => `${role}s`));
  return (
    <Page title={page.title}>
      <Note
        title={`You may not see ${page.title}`}
        action={{ label: 'Go to the overview', run: () => void navigate({ to: '/' }) }}
      >
        Only {who} can. Ask one of them for what you need, or for another role.
      </Note>
    </Page>
  );
}
