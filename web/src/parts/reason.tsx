import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

interface ReasonProps {
  readonly text: string;
  readonly children: ReactElement;
}

/** Tells why an element does nothing now, to mice, fingers and keyboards. */
export function Reason({ text, children }: ReasonProps) {
  return (
    <Tooltip label={text} events={{ hover: true, focus: true, touch: true }}>
      {children}
    </Tooltip>
  );
}
