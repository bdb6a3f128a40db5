import { Menu } from '@mantine/core';
import styles from './row-menu.module.css';
import { RowMenuButton, type RowMenuProps } from './row-menu-button.tsx';

/** The menu of one row, which is loaded after its page. An action that cannot be done stays reachable by the keyboard and tells why. */
export function LoadedRowMenu({ name, actions }: RowMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <RowMenuButton name={name} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, run, disabled, isDangerous }) => (
          <Menu.Item
            key={label}
            className={styles.item ?? ''}
            aria-disabled={disabled !== undefined}
            data-unavailable={disabled !== undefined || undefined}
            data-dangerous={isDangerous || undefined}
            closeMenuOnClick={disabled === undefined}
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
