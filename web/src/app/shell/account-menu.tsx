import { Button, Menu } from '@mantine/core';
import { NoticeItem } from '../desktop-notices/notice-item.tsx';
import { useSession } from '../session/session.ts';
import { signOut } from '../session/sign-out.ts';
import { accountButton } from './account-button.tsx';
import { sheetSwitch } from './switches.ts';

/** Who is signed in, and what belongs to that person. */
export function AccountMenu() {
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
