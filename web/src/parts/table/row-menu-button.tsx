import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { MoreIcon } from '../more-icon.tsx';
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

export interface RowMenuProps {
  /** What the actions are for, such as the name of a webhook. */
  readonly name: string;
  readonly actions: readonly RowAction[];
}

type ButtonProps = ActionIconProps & Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>;

/** The button that opens the menu of a row. */
export function RowMenuButton({ name, ...props }: ButtonProps & Pick<RowMenuProps, 'name'>) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      className={styles.button ?? ''}
      aria-label={`Actions for ${name}`}
      {...props}
    >
      <MoreIcon />
    </ActionIcon>
  );
}
