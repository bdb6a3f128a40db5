import { Button, Menu } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { NoticeItem } from '../desktop-notices/notice-item.tsx';
import { useSession } from '../session.ts';
import { signOut } from '../sign-out.ts';
import styles from './shell.module.css';
import { sheetSwitch } from './switches.ts';

/** Who is signed in, and what belongs to that person. */
export function AccountMenu() {
  const { admin } = useSession();
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className={styles.account}
          rightSection={<Icon name="chevron" />}
        >
          {admin.username || admin.email}
        </Button>
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
