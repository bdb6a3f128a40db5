import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { pages } from '../../../../src/contract/pages.ts';
import { IconButton } from '../../parts/buttons.tsx';
import sheet from '../../parts/sheet.module.css';
import { useLiveState } from '../data/live.ts';
import { checkVersion, useMissingParts, useNewVersion } from '../lazy-part.ts';
import { useSession } from '../session/session.ts';
import { createStore } from '../store.ts';
import styles from './shell.module.css';

/** How long the connection is lost before it is told: a restart of the service takes less. */
const lostMs = 10_000;

/** Whether the reminder of the generated password was put away, until the page is loaded again. */
const isPutAway = createStore(false);

const online = createStore(navigator.onLine);
for (const type of ['online', 'offline']) window.addEventListener(type, () => online.set(navigator.onLine));

/** Says what stands between the page and the service: no network, no answer, or a new version. Reminds of a generated password. */
export function NoticeBar() {
  const troubles = [
    { isThere: !online.use(), text: offlineText },
    { isThere: useLostForLong(), text: lostText },
    { isThere: useNewVersion(), text: newText, isNews: true, mayReload: true },
    { isThere: useMissingParts(), text: lackingText, mayReload: true },
  ];
  const trouble = troubles.find(({ isThere }) => isThere);
  const { hasGeneratedPassword, isLimited } = useSession();
  const isAway = isPutAway.use();
  return (
    <div className={styles.notices} role="status">
      {trouble ? (
        <div className={`${sheet.row} ${styles.notice}`} data-trouble={!trouble.isNews || undefined}>
          {trouble.text}
          {trouble.mayReload && (
            <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
              Reload
            </Button>
          )}
        </div>
      ) : (
        hasGeneratedPassword && !isLimited && !isAway && <PasswordReminder />
      )}
    </div>
  );
}

const offlineText =
  'You are offline. You see what was loaded last. Replies are sent when you are online again.';
const lostText = 'The service cannot be reached. What you see may be out of date.';
const newText = 'A new version of the dashboard is ready. Drafts of replies are kept.';
const lackingText =
  'A part of the page could not be loaded. Reload the page to get it. Drafts of replies are kept.';

function PasswordReminder() {
  return (
    <div className={`${sheet.row} ${styles.notice}`}>
      <span>
        You still have the generated password.{' '}
        <Link to={pages.profile.path} search={{ dialog: 'password' }}>
          Change it
        </Link>
      </span>
      <IconButton icon="close" label="Hide this reminder" onClick={() => isPutAway.set(true)} />
    </div>
  );
}

/** Returns whether the connection has been lost for long. When it is back, the service may have been updated. */
function useLostForLong(): boolean {
  const state = useLiveState();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (state !== 'lost') return;
    const timer = setTimeout(() => setIsLong(true), lostMs);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
      void checkVersion();
    };
  }, [state]);
  return isLong;
}
