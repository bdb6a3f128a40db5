import { Drawer, type DrawerProps } from '@mantine/core';
import { useIsOnTop } from '../../form/open-dialogs.ts';
import { useReturnFocus } from '../../form/use-return-focus.ts';
import { Navigation } from './navigation.tsx';

interface SideDrawerProps extends Omit<DrawerProps, 'opened' | 'returnFocus' | 'closeOnEscape'> {
  readonly isOpen: boolean;
  /** Whether Escape closes it, if no dialog is above it. A form in it may take the key first. */
  readonly takesEscape?: boolean;
}

/**
 * A drawer beside what a page shows. It gives the focus back when it closes, also if it was open when its code had loaded,
 * which Mantine's own does not.
 */
export function SideDrawer({ isOpen, takesEscape = true, ...props }: SideDrawerProps) {
  const isOnTop = useIsOnTop(isOpen);
  return (
    <>
      {isOpen && <ReturnFocus />}
      <Drawer
        opened={isOpen}
        position="right"
        returnFocus={false}
        closeOnEscape={takesEscape && isOnTop}
        {...props}
      />
    </>
  );
}

function ReturnFocus() {
  useReturnFocus();
  return null;
}

interface MenuDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The navigation of narrow windows. */
export function MenuDrawer({ isOpen, onClose }: MenuDrawerProps) {
  return (
    <SideDrawer isOpen={isOpen} onClose={onClose} position="left" title="Menu" size="xs">
      <Navigation onChoose={onClose} />
    </SideDrawer>
  );
}
