import { Box, type BoxProps, type DOMElement, measureElement } from 'ink';
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef } from 'react';
import type { MouseEvent } from '../terminal/mouse.ts';

/** A part of the screen that the mouse can be used on. */
interface MouseRegion {
  readonly element: DOMElement;
  readonly isInDialog: boolean;
  /** Receives what happens on it, in cells from its own corner. */
  readonly onMouse: (event: MouseEvent) => void;
}

/** The parts of the screen that the mouse can be used on. */
export interface MouseRegions {
  add(region: MouseRegion): () => void;
  /**
   * Passes an event to the part that it happens on.
   *
   * @param isDialogOpen - clicks outside the dialog are then ignored, as keys are
   */
  handle(event: MouseEvent, isDialogOpen: boolean): void;
}

export function createMouseRegions(): MouseRegions {
  const regions = new Set<MouseRegion>();
  return {
    add(region) {
      regions.add(region);
      return () => regions.delete(region);
    },
    handle(event, isDialogOpen) {
      for (const { element, isInDialog, onMouse } of [...regions].reverse()) {
        const { x, y, width, height } = measureElement(element);
        const local = { ...event, x: event.x - x, y: event.y - y };
        if (local.x < 0 || local.y < 0 || local.x >= width || local.y >= height) continue;
        if (isDialogOpen && !isInDialog && event.kind !== 'wheel') return;
        return onMouse(local);
      }
    },
  };
}

export const MouseContext = createContext<{
  readonly regions: MouseRegions;
  readonly isInDialog: boolean;
} | null>(null);

interface RegionProps extends BoxProps {
  readonly onMouse: (event: MouseEvent) => void;
  readonly children: ReactNode;
}

/** A box that the mouse can be used on. */
export function Region({ onMouse, children, ...box }: RegionProps): ReactNode {
  const element = useRef<DOMElement>(null);
  const mouse = useContext(MouseContext);
  const handle = useEffectEvent((event: MouseEvent) => onMouse(event));
  useEffect(() => {
    if (mouse === null || element.current === null) return;
    return mouse.regions.add({ element: element.current, isInDialog: mouse.isInDialog, onMouse: handle });
  }, [mouse]);
  return (
    <Box ref={element} {...box}>
      {children}
    </Box>
  );
}
