import { SideDrawer } from '../../parts/dialogs/side-drawer.tsx';
import { Navigation } from './navigation.tsx';

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
