import { ActionIcon } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { Icon } from './icon.tsx';
import { addMonths, type Month, MonthButton, monthNow } from './months.tsx';
import styles from './parts.module.css';

/* A month can be read, and the next one reached, without the menu. */
const MonthMenu = lazyPart(() => import('./month-menu.tsx'), 'MonthMenu');

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
  return (
    <fieldset className={styles.picker} aria-label="Month">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Previous month"
        onClick={() => choose(addMonths(shown, -1))}
      >
        <Icon name="back" />
      </ActionIcon>
      <Suspense fallback={<MonthButton month={shown} aria-disabled />}>
        <MonthMenu now={now} shown={shown} onChoose={choose} />
      </Suspense>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={styles.step ?? ''}
        aria-label="Next month"
        disabled={shown >= now}
        onClick={() => choose(addMonths(shown, 1))}
      >
        <Icon name="forward" />
      </ActionIcon>
    </fieldset>
  );
}
