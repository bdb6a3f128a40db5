import { Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';
import { ChoiceMenu } from '../../parts/floating.tsx';
import sheet from '../../parts/sheet.module.css';
import { tell } from '../../parts/tell.tsx';
import { sheetSwitch } from '../commands/commands.ts';
import { type NoticeState, useNoticeState, want } from '../notices.ts';
import { useSession } from '../session/session.ts';
import { signOut } from '../session/session-end.ts';
import { themes } from '../theme/theme.ts';

/** The menus of the header, loaded after the page. Before it has them, the header shows their buttons alone. */
export function HeaderMenus({ theme, account }: Readonly<Record<'theme' | 'account', ReactElement<object>>>) {
  // This browser remembers it. Stopping transitions meanwhile would take a <style> element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <>
      <ChoiceMenu position="bottom-end" words={themes} chosen={colorScheme} onChoose={setColorScheme}>
        {theme}
      </ChoiceMenu>
      <AccountMenu button={account} />
    </>
  );
}

/** Who is signed in, and what belongs to that person. */
function AccountMenu({ button }: { readonly button: ReactElement }) {
  const { admin } = useSession();
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>{button}</Menu.Target>
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
      <div className={sheet.small}>{noticeTexts[state]}</div>
    </Menu.CheckboxItem>
  );
}
