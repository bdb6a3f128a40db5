import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './row-menu.module.css';

/** Something that can be done with a row. */
export interface RowAction {
  readonly label: string;
  /** The key that does it, where there is one. */
  readonly key?: string | undefined;
  readonly run: () => void;
  /** Why it cannot be done. The menu shows the reason. */
  readonly disabled?: string | undefined;
  /** Whether it takes something away. */
  readonly isDangerous?: boolean;
}

interface ActionMenuProps {
  readonly actions: readonly RowAction[];
  /** The button. */
  readonly children: ReactNode;
  /** Called when it closes, of a menu that exists only while it is open. */
  readonly onClose?: () => void;
}

/** The menu of one row. What cannot be done stays reachable by the keyboard and tells why. */
export function ActionMenu({ actions, children, onClose }: ActionMenuProps) {
  return (
    <Menu
      position="bottom-end"
      withinPortal
      defaultOpened={onClose !== undefined}
      {...(onClose && { onClose })}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, key, run, disabled, isDangerous }) => (
          <Menu.Item
            key={label}
            className={styles.item ?? ''}
            aria-disabled={disabled !== undefined}
            data-unavailable={disabled !== undefined || undefined}
            data-dangerous={isDangerous || undefined}
            closeMenuOnClick={disabled === undefined}
            rightSection={key}
            onClick={disabled === undefined ? run : undefined}
          >
            {label}
            {disabled !== undefined && <span className={styles.reason}>{disabled}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
