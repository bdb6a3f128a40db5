import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import styles from './parts.module.css';

/** A calendar month such as `2026-09`. */
export type Month = string;

const named = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Returns a value if it is a month. */
export function monthOf(value: unknown): Month | undefined {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(String(value)) ? String(value) : undefined;
}

/** Formats a month, such as Sep 2026. */
export function formatMonth(month: Month): string {
  return named.format(new Date(`${month}-01T00:00:00Z`));
}

/** Returns the month that is so many months later, or earlier if the number is negative. */
export function addMonths(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

/** Returns the month that it is now in a time zone; by default in that of the browser. */
export function monthNow(timeZone: string | undefined): Month {
  const parts = new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: '2-digit',
    timeZone,
  }).formatToParts();
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value;
  return `${part('year')}-${part('month')}`;
}

type Props = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & { readonly month: Month };

/** The button that shows the month and opens the menu of months. */
export function MonthButton({ month, className = '', ...props }: Props) {
  return (
    // A menu gives its button a class too.
    <Button variant="subtle" color="gray" {...props} className={`${styles.month} ${className}`}>
      {formatMonth(month)}
    </Button>
  );
}
