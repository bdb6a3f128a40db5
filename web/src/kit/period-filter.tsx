import { Button, Popover, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import sheet from '../parts/sheet.module.css';
import styles from './filters.module.css';
import { daysOf, type Period, periodInWords, periodOfDays, periods } from './period.ts';

interface PeriodFilterProps {
  readonly period: Period;
  /** Gets both bounds, so that one takes the place of the other. */
  readonly onChange: (period: Required<Period>) => void;
}

/** While a year is typed, it is first 0002, then 0020. */
const firstDay = '1970-01-01';

/** Chooses a time: quickly by words, or by the first and the last day. */
export function PeriodFilter({ period, onChange }: PeriodFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const words = periodInWords(period);
  const days = daysOf(period);
  const choose = (next: Required<Period>) => {
    onChange(next);
    setIsOpen(false);
  };
  const setDays = (from: string, to: string) => onChange(periodOfDays(from || undefined, to || undefined));
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-start"
      width={240}
      trapFocus
      shadow="md"
      withinPortal={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          justify="space-between"
          className={`${styles.choice} ${sheet.pick}`}
          rightSection={<Icon name="chevron" />}
          data-active={words !== undefined || undefined}
          aria-label={`Time: ${words ?? 'Any time'}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {words ?? 'Any time'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Time" className={sheet.stack ?? ''}>
        <div className={styles.words}>
          {periods.map((choice) => (
            <Choice
              key={choice.title}
              label={choice.title}
              isChosen={choice.title === (words ?? 'Any time')}
              onChoose={() => choose(choice.period)}
            />
          ))}
        </div>
        <Day label="From" day={days.from} max={days.to} onChange={(from) => setDays(from, days.to)} />
        <Day label="To" day={days.to} min={days.from} onChange={(to) => setDays(days.from, to)} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ label, isChosen, onChoose }: ChoiceProps) {
  return (
    <Button
      variant={isChosen ? 'light' : 'subtle'}
      color={isChosen ? 'blue' : 'gray'}
      justify="start"
      fullWidth
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      {label}
    </Button>
  );
}

interface DayProps {
  readonly label: string;
  /** Empty for none. */
  readonly day: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (day: string) => void;
}

function Day({ label, day, min = firstDay, max, onChange }: DayProps) {
  const [typed, setTyped] = useState(day);
  useEffect(() => setTyped(day), [day]);
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      min={min || firstDay}
      max={max || undefined}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        if (value === '' || value >= firstDay) onChange(value);
      }}
    />
  );
}
