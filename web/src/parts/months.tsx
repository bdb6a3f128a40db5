import { Button } from '@mantine/core';
import { buttonAlone, lazyPart } from '../app/lazy-part.ts';
import { IconButton } from './buttons.tsx';
import type { IconName } from './icon.tsx';
import styles from './parts.module.css';

/* A month can be read, and the next one reached, without the menu. */
const ChoiceMenu = lazyPart(() => import('./floating.tsx'), 'ChoiceMenu', buttonAlone);

/** How many months the menu has. The buttons beside it lead further back. */
const menuMonths = 24;

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
function addMonths(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

/** Returns the month that it is now in a time zone; by default in that of the browser. */
export function monthNow(timeZone: string | undefined): Month {
  // Swedish dates are written as those of the API.
  return new Date().toLocaleDateString('sv', { year: 'numeric', month: '2-digit', timeZone });
}

interface MonthPickerProps {
  /** The month of the page's address; undefined stands for the current one. */
  readonly month: Month | undefined;
  /** The time zone of the months, once it is known. */
  readonly timeZone: string | undefined;
  /** Called with undefined for the current month. */
  readonly onChange: (month: Month | undefined) => void;
}

/** Chooses a month up to the current one, of a page that has the month in its address. */
export function MonthPicker({ month, timeZone, onChange }: MonthPickerProps) {
  const now = monthNow(timeZone);
  const shown = month ?? now;
  const choose = (next: Month) => onChange(next >= now ? undefined : next);
  const months = Array.from({ length: menuMonths }, (_, index) => addMonths(now, -index));
  const words = Object.fromEntries(months.map((each) => [each, formatMonth(each)]));
  const step = (label: string, icon: IconName, count: number) => (
    <IconButton
      icon={icon}
      label={label}
      disabled={count > 0 && shown >= now}
      onClick={() => choose(addMonths(shown, count))}
    />
  );
  return (
    <fieldset className={styles.picker} aria-label="Month">
      {step('Previous month', 'back', -1)}
      <ChoiceMenu position="bottom" width={176} words={words} chosen={shown} onChoose={choose}>
        <Button variant="subtle" color="gray" w={112} px={8}>
          {formatMonth(shown)}
        </Button>
      </ChoiceMenu>
      {step('Next month', 'forward', 1)}
    </fieldset>
  );
}
