import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';

interface GuardedButtonProps extends ButtonProps {
  /** Why it does nothing now, such as `Only admins may delete issues.` */
  readonly reason: string | undefined;
  readonly onClick: MouseEventHandler<HTMLButtonElement>;
  readonly children: ReactNode;
}

/** A button that says why one may not press it, also to keyboards: unlike a disabled one, it can have the focus. */
export function GuardedButton({ reason, onClick, ...others }: GuardedButtonProps) {
  if (reason === undefined) return <Button {...others} onClick={onClick} />;
  return (
    <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }}>
      <Button {...others} data-disabled aria-disabled="true" onClick={(event) => event.preventDefault()} />
    </Tooltip>
  );
}
