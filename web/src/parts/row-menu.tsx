import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { type ComponentPropsWithRef, Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { MoreIcon } from './icon.tsx';
import styles from './row-menu.module.css';
import type { RowAction } from './row-menu-items.tsx';

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

/* A table can be read without its menus. */
const ActionMenu = lazyPart(() => import('./row-menu-items.tsx'), 'ActionMenu');

/** The menu of one row. Until it is loaded, its button is there and does nothing. */
export function RowMenu(props: RowMenuProps) {
  if (props.actions.length === 0) return null;
  return (
    <Suspense fallback={<RowMenuButton name={props.name} aria-disabled />}>
      <ActionMenu actions={props.actions}>
        <RowMenuButton name={props.name} />
      </ActionMenu>
    </Suspense>
  );
}
