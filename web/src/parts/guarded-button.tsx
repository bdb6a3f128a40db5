import { Button, type ButtonProps } from '@mantine/core';
import { type MouseEventHandler, type ReactNode, type Ref, Suspense } from 'react';
import { suspendingPart } from '../app/lazy-part.ts';

const Reason = suspendingPart(() => import('./floating.tsx'), 'Reason');

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
  const button = (
    <Button {...others} data-disabled aria-disabled="true" onClick={(event) => event.preventDefault()} />
  );
  return (
    <Suspense fallback={button}>
      <Reason text={reason}>{button}</Reason>
    </Suspense>
  );
}
