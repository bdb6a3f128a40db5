import type { ReactNode } from 'react';
import { SideDrawer } from '../../parts/dialogs/side-drawer.tsx';
import styles from './visitor.module.css';

interface DetailsDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The details of narrow windows. */
export function DetailsDrawer({ isOpen, onClose, children }: DetailsDrawerProps) {
  return (
    <SideDrawer isOpen={isOpen} onClose={onClose} size="md" title="Details">
      <div className={styles.drawer}>{children}</div>
    </SideDrawer>
  );
}
