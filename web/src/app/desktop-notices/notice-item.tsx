import { Menu } from '@mantine/core';
import { tell } from '../../parts/tell.ts';
import styles from '../shell/shell.module.css';
import { type NoticeState, useNoticeState, want } from './consent.ts';

/** Why desktop notifications cannot be turned on, or what they are. */
const texts: Readonly<Record<NoticeState, string>> = {
  on: 'Critical issues and new messages, while no tab of the dashboard is visible.',
  off: 'Critical issues and new messages, while no tab of the dashboard is visible.',
  blocked: 'The browser blocks them. Allow notifications in its settings for this site.',
  unsupported: 'This browser has none for this page. They need HTTPS.',
};

/** Turns desktop notifications on and off. */
export function NoticeItem() {
  const state = useNoticeState();
  async function change(isOn: boolean): Promise<void> {
    if ((await want(isOn)) === 'blocked') tell(texts.blocked);
  }
  return (
    <Menu.CheckboxItem
      checked={state === 'on'}
      disabled={state === 'unsupported'}
      onChange={(isOn) => void change(isOn)}
    >
      Desktop notifications
      <span className={styles.hint}>{texts[state]}</span>
    </Menu.CheckboxItem>
  );
}
