import { Icon } from '../../parts/icon.tsx';
import styles from './shell.module.css';

/** The look of the button of the account menu. Its place looks the same until the menu is loaded, so that nothing jumps. */
export const accountButton = {
  size: 'compact-sm',
  variant: 'subtle',
  color: 'gray',
  className: styles.account ?? '',
  rightSection: <Icon name="chevron" />,
} as const;
