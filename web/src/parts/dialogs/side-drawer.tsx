import { Drawer, type DrawerProps } from '@mantine/core';
import { useReturnFocus } from './use-return-focus.ts';

interface SideDrawerProps extends Omit<DrawerProps, 'opened' | 'returnFocus'> {
  readonly isOpen: boolean;
}

/**
 * A drawer beside what a page shows. It gives the focus back when it closes, also if it was open when its code had loaded,
 * which Mantine's own does not.
 */
export function SideDrawer({ isOpen, ...props }: SideDrawerProps) {
  return (
    <>
      {isOpen && <ReturnFocus />}
      <Drawer opened={isOpen} position="right" returnFocus={false} {...props} />
    </>
  );
}

function ReturnFocus() {
  useReturnFocus();
  return null;
}
