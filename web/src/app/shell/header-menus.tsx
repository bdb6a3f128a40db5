import { ActionIcon, Button, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { tell } from '../../parts/tell.ts';
import { sheetSwitch } from '../commands/commands.ts';
import { type NoticeState, useNoticeState, want } from '../notices.ts';
import { useSession } from '../session/session.ts';
import { signOut } from '../session/sign-out.ts';
import { themes } from '../theme/theme.ts';
import { accountButton } from './header-places.tsx';
import styles from './shell.module.css';

/** The menus of the header, in one file that is loaded after the page. */
export function HeaderMenus() {
  return (
    <>
      <ThemeMenu />
      <AccountMenu />
    </>
  );
}

/** Chooses the theme, which this browser remembers. Stopping transitions meanwhile would take a <style> element. */
function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Theme">
          <Icon name="theme" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(schemeOf(value))}>
          {themes.map(({ scheme, title }) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function schemeOf(value: unknown): MantineColorScheme {
  return themes.find(({ scheme }) => scheme === value)?.scheme ?? 'auto';
}

/** Who is signed in, and what belongs to that person. */
function AccountMenu() {
  const { admin } = useSession();
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button {...accountButton}>{admin.username || admin.email}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {admin.email}, {admin.role}
        </Menu.Label>
        <NoticeItem />
        <Menu.Item onClick={() => sheetSwitch.set(true)}>Keyboard shortcuts</Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Why desktop notifications cannot be turned on, or what they are. */
const noticeTexts: Readonly<Record<NoticeState, string>> = {
  on: 'Critical issues and new messages, while no tab of the dashboard is visible.',
  off: 'Critical issues and new messages, while no tab of the dashboard is visible.',
  blocked: 'The browser blocks them. Allow notifications in its settings for this site.',
  unsupported: 'They need HTTPS and a browser that supports them.',
};

/** Turns desktop notifications on and off. */
function NoticeItem() {
  const state = useNoticeState();
  async function change(isOn: boolean): Promise<void> {
    if ((await want(isOn)) === 'blocked') tell(noticeTexts.blocked);
  }
  return (
    <Menu.CheckboxItem
      checked={state === 'on'}
      disabled={state === 'unsupported'}
      onChange={(isOn) => void change(isOn)}
    >
      Desktop notifications
      <span className={styles.hint}>{noticeTexts[state]}</span>
    </Menu.CheckboxItem>
  );
}
