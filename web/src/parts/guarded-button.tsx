import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode, Ref } from 'react';
import { lazyPart } from '../app/lazy-part.ts';

const Reason = lazyPart(
  () => import('./floating.tsx'),
  'Reason',
  ({ children }) => children,
);

interface GuardedButtonProps extends ButtonProps {
  /** Why it does nothing now, such as `Only admins may delete issues.` */
  readonly reason: string | undefined;
  readonly onClick: MouseEventHandler<HTMLButtonElement>;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** A button that says why one may not press it, also to keyboards: unlike a disabled one, it can have the focus. */
export function GuardedButton({ reason, onClick, ...others }: GuardedButtonProps) {
  if (reason === undefined) return <Button {...others} onClick={onClick} />;
  return (
    <Reason text={reason}>
      <Button {...others} data-disabled aria-disabled="true" onClick={(event) => event.preventDefault()} />
    </Reason>
  );
}
