import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './visitor.module.css';

interface DetailsDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The details of narrow windows. */
export function DetailsDrawer({ isOpen, onClose, children }: DetailsDrawerProps) {
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size="md" title="Details">
      <div className={styles.drawer}>{children}</div>
    </Drawer>
  );
}
