import { ActionIcon, Button } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { useSession } from '../session/session.ts';
import styles from './shell.module.css';

/** The look of the button of the account menu. Its place looks the same until the menu is loaded, so that nothing jumps. */
export const accountButton = {
  size: 'compact-sm',
  variant: 'subtle',
  color: 'gray',
  className: styles.account ?? '',
  rightSection: <Icon name="chevron" />,
} as const;

/** Keeps the places of the menus until they are loaded. */
export function HeaderPlaces() {
  const { admin } = useSession();
  return (
    <span className={styles.places} aria-hidden="true">
      <ActionIcon component="span" variant="subtle" color="gray">
        <Icon name="theme" />
      </ActionIcon>
      <Button component="span" {...accountButton}>
        {admin.username || admin.email}
      </Button>
    </span>
  );
}
