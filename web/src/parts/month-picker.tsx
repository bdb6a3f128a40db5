import { ActionIcon, Button, Menu } from '@mantine/core';
import { Icon } from './icon.tsx';
import styles from './month-picker.module.css';
import { addMonths, formatMonth, type Month, monthNow } from './months.ts';

/** How many months the menu has. The buttons beside it lead further back. */
const menuMonths = 24;

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
      <Menu position="bottom" width={176}>
        <Menu.Target>
          <Button variant="subtle" color="gray" className={styles.month ?? ''}>
            {formatMonth(shown)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={styles.months ?? ''}>
          <Menu.RadioGroup value={shown} onChange={(value) => choose(String(value))}>
            {Array.from({ length: menuMonths }, (_, index) => addMonths(now, -index)).map((each) => (
              <Menu.RadioItem key={each} value={each}>
                {formatMonth(each)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
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
