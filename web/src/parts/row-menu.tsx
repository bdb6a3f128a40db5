import { ActionIcon, Menu } from '@mantine/core';
import styles from './row-menu.module.css';

/** Something that can be done with a row. */
export interface RowAction {
  readonly label: string;
  readonly run: () => void;
  /** Why it cannot be done. The menu shows the reason. */
  readonly disabled?: string | undefined;
  /** Whether it takes something away. */
  readonly isDangerous?: boolean;
}

interface RowMenuProps {
  /** What the actions are for, such as the name of a webhook. */
  readonly name: string;
  readonly actions: readonly RowAction[];
}

/** The menu of one row. An action that cannot be done stays reachable by the keyboard and tells why. */
export function RowMenu({ name, actions }: RowMenuProps) {
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={styles.button ?? ''}
          aria-label={`Actions for ${name}`}
        >
          <svg width="1.25em" height="1.25em" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
            <circle cx="4" cy="10" r="1.5" />
            <circle cx="10" cy="10" r="1.5" />
            <circle cx="16" cy="10" r="1.5" />
          </svg>
        </ActionIcon>
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
