import { Suspense } from 'react';
import { lazyPart } from '../../app/lazy-part.ts';
import { RowMenuButton, type RowMenuProps } from './row-menu-button.tsx';

export type { RowAction } from './row-menu-button.tsx';

/* A table can be read without its menus. */
const LoadedRowMenu = lazyPart(() => import('./loaded-row-menu.tsx'), 'LoadedRowMenu');

/** The menu of one row. Until it is loaded, its button is there and does nothing. */
export function RowMenu(props: RowMenuProps) {
  if (props.actions.length === 0) return null;
  return (
    <Suspense fallback={<RowMenuButton name={props.name} aria-disabled />}>
      <LoadedRowMenu {...props} />
    </Suspense>
  );
}
