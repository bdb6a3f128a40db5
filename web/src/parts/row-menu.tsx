import { ActionIcon } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import type { RowAction } from './floating.tsx';
import { Icon } from './icon.tsx';
import styles from './parts.module.css';

/* A table can be read without its menus. */
const ActionMenu = lazyPart(() => import('./floating.tsx'), 'ActionMenu');

interface RowMenuProps {
  /** What the actions are for, such as the name of a webhook. */
  readonly name: string;
  readonly actions: readonly RowAction[];
}

/** The menu of one row. Until it is loaded, its button is there and does nothing. */
export function RowMenu({ name, actions }: RowMenuProps) {
  if (actions.length === 0) return null;
  const button = (isReady: boolean) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      className={styles.menuButton ?? ''}
      aria-label={`Actions for ${name}`}
      aria-disabled={!isReady || undefined}
    >
      <Icon name="more" />
    </ActionIcon>
  );
  return (
    <Suspense fallback={button(false)}>
      <ActionMenu actions={actions}>{button(true)}</ActionMenu>
    </Suspense>
  );
}
