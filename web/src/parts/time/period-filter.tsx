import { Button, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../icon.tsx';
import { type Period, periodInWords, periods, periodWords } from './period.ts';
import styles from './period-filter.module.css';

interface PeriodFilterProps {
  readonly period: Period;
  /** Gets all three parts, so that one takes the place of the others. */
  readonly onChange: (period: Required<Period>) => void;
}

const anyTime = { when: undefined, from: undefined, to: undefined };

/** Chooses a time: quickly by words, or by the first and the last day. */
export function PeriodFilter({ period, onChange }: PeriodFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { when, from, to } = period;
  const choose = (next: Required<Period>) => {
    onChange(next);
    setIsOpen(false);
  };
  const isAny = periodInWords(period) === undefined;
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" width={240} trapFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          rightSection={<Icon name="chevron" />}
          aria-label={`Time: ${periodInWords(period) ?? 'Any time'}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {periodInWords(period) ?? 'Any time'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Time" className={styles.dropdown ?? ''}>
        <div className={styles.words}>
          <Choice label="Any time" isChosen={isAny} onChoose={() => choose(anyTime)} />
          {periodWords.map((word) => (
            <Choice
              key={word}
              label={periods[word]}
              isChosen={when === word}
              onChoose={() => choose({ ...anyTime, when: word })}
            />
          ))}
        </div>
        <div className={styles.days}>
          <Day
            label="From"
            value={from}
            max={to}
            onChange={(day) => onChange({ when: undefined, from: day, to })}
          />
          <Day
            label="To"
            value={to}
            min={from}
            onChange={(day) => onChange({ when: undefined, from, to: day })}
          />
        </div>
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
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

function Day({ label, value = '', min, max, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      min={min}
      max={max}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}
