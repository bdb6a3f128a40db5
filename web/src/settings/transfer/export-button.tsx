import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { Icon } from '../../parts/icon.tsx';

type Props = ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>;

/** The button that opens the menu of exports. */
export function ExportButton(props: Props) {
  return (
    <Button variant="default" rightSection={<Icon name="chevron" />} {...props}>
      Export
    </Button>
  );
}
