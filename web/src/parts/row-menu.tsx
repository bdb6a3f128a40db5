import { buttonAlone, lazyPart } from '../app/lazy-part.ts';
import type { RowAction } from './floating.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './parts.module.css';

/* A table can be read without its menus. */
const ActionMenu = lazyPart(() => import('./floating.tsx'), 'ActionMenu', buttonAlone);

interface RowMenuProps {
  /** What the actions are for, such as the name of a webhook. */
  readonly name: string;
  readonly actions: readonly RowAction[];
}

/** The menu of one row. Until it is loaded, its button is there and does nothing. */
export function RowMenu({ name, actions }: RowMenuProps) {
  if (actions.length === 0) return null;
  return (
    <ActionMenu actions={actions}>
      <IconButton icon="more" label={`Actions for ${name}`} className={styles.menuButton ?? ''} />
    </ActionMenu>
  );
}
