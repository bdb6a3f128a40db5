import { Drawer } from '@mantine/core';
import { Navigation } from './navigation.tsx';

interface MenuDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The navigation of narrow windows. */
export function MenuDrawer({ isOpen, onClose }: MenuDrawerProps) {
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Menu" size="xs">
      <Navigation onChoose={onClose} />
    </Drawer>
  );
}
