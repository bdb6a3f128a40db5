import { Button, Popover, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Field } from '../../../src/contract/fields/field.ts';
import { useSession } from '../app/session/session.ts';
import { labelWords, type Suggestions, useSuggestions } from '../form/field.tsx';
import sheet from '../parts/sheet.module.css';
import { wordIn } from '../parts/words.ts';
import {
  daysOf,
  type Filter,
  type Period,
  parameterOf,
  periodInWords,
  periodOfDays,
  periods,
} from './address.ts';
import { adminQuery, assigneesQuery, nameOf } from './admins.ts';
import { buttonOf, ChoiceFilter, type ChoiceFilterProps, chosenOf } from './choice-filter.tsx';

interface FilterChoicesProps {
  readonly fields: readonly (readonly [name: string, field: Field])[];
  readonly hasPeriod: boolean;
  readonly suggest: Readonly<Record<string, Suggestions>>;
  readonly filter: Filter;
  readonly onChange: (part: Filter) => void;
}

/** The filters of a list whose values one chooses, as the catalogue says. */
export function FilterChoices({ fields, hasPeriod, suggest, filter, onChange }: FilterChoicesProps) {
  return (
    <>
      {fields.map(([name, field]) => {
        const parameter = parameterOf(name, field);
        return (
          <FieldChoice
            key={name}
            field={field}
            suggest={suggest[name]}
            label={field.label}
            chosen={filter[parameter]}
            isMany={field.filter === 'some'}
            onChange={(value) => onChange({ [parameter]: value })}
          />
        );
      })}
      {hasPeriod && <PeriodFilter period={filter} onChange={onChange} />}
    </>
  );
}

type ChoiceProps = Omit<ChoiceFilterProps, 'choices'>;

interface FieldChoiceProps extends ChoiceProps {
  readonly field: Field;
  /** The words in use, if they are people's own. */
  readonly suggest: Suggestions | undefined;
}

/** Chooses among the values of a field. */
export function FieldChoice({ field, suggest, ...choice }: FieldChoiceProps) {
  const [isOpened, setIsOpened] = useState(false);
  const words = field.kind === 'flag' ? ['1', '0'] : field.words;
  const inUse = field.kind === 'labels' ? labelWords : suggest;
  const used = useSuggestions(isOpened && words === undefined ? inUse : undefined);
  if (field.kind === 'admin') return <AdminChoice {...choice} />;
  // A link may ask for a word of one's own.
  const offered = new Set([...(words ?? []), ...chosenOf(choice.chosen, choice.isMany), ...used]);
  const choices = [...offered].map((value) => ({ value, label: labelOf(field, value) }));
  return (
    <ChoiceFilter
      isOpen={words === undefined}
      {...choice}
      choices={choices}
      onOpen={() => setIsOpened(true)}
    />
  );
}

function labelOf(field: Field, value: string): string {
  if (field.kind === 'flag') return value === '1' ? field.label : `Not ${field.label.toLowerCase()}`;
  return field.words === undefined ? value : wordIn(field, value);
}

/** The active admins, whom typing finds, before them oneself and nobody. */
function AdminChoice(choice: ChoiceProps) {
  const { admin: me } = useSession();
  const [text, setText] = useState('');
  const { data: admins = [] } = useQuery(assigneesQuery(text));
  const { chosen = '' } = choice;
  const isKnown = chosen === '' || chosen === 'me' || chosen === 'none';
  const { data: known } = useQuery({ ...adminQuery(chosen), enabled: !isKnown });
  const fixed = [
    { value: 'me', label: 'Me' },
    { value: 'none', label: 'Nobody' },
  ];
  const found = new Map([...(known && !isKnown ? [known] : []), ...admins].map((admin) => [admin.id, admin]));
  found.delete(me.id);
  const choices = [
    ...(text === '' ? fixed : []),
    ...[...found.values()].map((admin) => ({ value: admin.id, label: nameOf(admin) })),
  ];
  return <ChoiceFilter {...choice} choices={choices} search={{ text, onChange: setText }} />;
}

interface PeriodFilterProps {
  readonly period: Period;
  /** Gets both bounds, so that one takes the place of the other. */
  readonly onChange: (period: Required<Period>) => void;
}

/** While a year is typed, it is first 0002, then 0020. */
const firstDay = '1970-01-01';

/** Chooses a time: quickly by words, or by the first and the last day. */
function PeriodFilter({ period, onChange }: PeriodFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const words = periodInWords(period) ?? 'Any time';
  const { from, to } = daysOf(period);
  const setDays = (first: string, last: string) =>
    onChange(periodOfDays(first || undefined, last || undefined));
  const days = [
    { label: 'From', day: from, min: firstDay, max: to, set: (day: string) => setDays(day, to) },
    { label: 'To', day: to, min: from || firstDay, max: '', set: (day: string) => setDays(from, day) },
  ];
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
          {...buttonOf(words !== 'Any time')}
          aria-label={`Time: ${words}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Time" className={sheet.stack ?? ''}>
        <div className={sheet.lines}>
          {periods.map(({ title, period }) => (
            <Button
              key={title}
              variant={title === words ? 'light' : 'subtle'}
              color={title === words ? 'blue' : 'gray'}
              justify="start"
              fullWidth
              aria-pressed={title === words}
              onClick={() => {
                onChange(period);
                setIsOpen(false);
              }}
            >
              {title}
            </Button>
          ))}
        </div>
        {days.map(({ label, day, min, max, set }) => (
          // It keeps what is typed, and days alone are taken from it.
          <TextInput
            key={label}
            type="date"
            label={label}
            defaultValue={day}
            min={min}
            max={max}
            onChange={({ currentTarget: { value } }) => (value === '' || value >= firstDay) && set(value)}
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
