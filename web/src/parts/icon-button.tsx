import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, keyof ActionIconProps>, ActionIconProps {
  readonly icon: IconName;
  /** What it does. */
  readonly label: string;
}

/** A button that has an icon alone. */
export function IconButton({ icon, label, ...props }: IconButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      {...(props.disabled && { bg: 'transparent' })}
      {...props}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}
