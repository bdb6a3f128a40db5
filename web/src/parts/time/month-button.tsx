import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import styles from './month-picker.module.css';
import { formatMonth, type Month } from './months.ts';

type Props = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & { readonly month: Month };

/** The button that shows the month and opens the menu of months. */
export function MonthButton({ month, ...props }: Props) {
  return (
    <Button variant="subtle" color="gray" className={styles.month ?? ''} {...props}>
      {formatMonth(month)}
    </Button>
  );
}
