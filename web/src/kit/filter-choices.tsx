import { Button, Popover, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Field, leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import { useSession } from '../app/session/session.ts';
import { type Suggestions, useSuggestions } from '../form/field.tsx';
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
import styles from './filters.module.css';

interface FilterChoicesProps {
  readonly noun: Noun;
  readonly hasPeriod: boolean;
  readonly filter: Filter;
  readonly suggest: Readonly<Record<string, Suggestions>>;
  readonly onChange: (part: Filter) => void;
}

/** The filters of a list whose values one chooses, as the catalogue says. */
export function FilterChoices({ noun, hasPeriod, filter, suggest, onChange }: FilterChoicesProps) {
  return (
    <>
      {leadingFields<Noun, 'filter'>(noun, 'filter').map(([name, field]) => {
        const parameter = parameterOf(name, field);
        const common = {
          label: field.label,
          chosen: filter[parameter],
          isMany: field.filter === 'some',
          onChange: (value: string | undefined) => onChange({ [parameter]: value }),
        };
        if (field.kind === 'flag')
          return <ChoiceFilter key={name} {...common} choices={flagChoices(field)} />;
        if (field.kind === 'admin') return <AdminFilter key={name} {...common} />;
        if (field.words !== undefined) return <Words key={name} {...common} field={field} />;
        return <OpenWords key={name} {...common} suggest={suggest[name]} />;
      })}
      {hasPeriod && <PeriodFilter period={filter} onChange={onChange} />}
    </>
  );
}

type ChoiceProps = Omit<ChoiceFilterProps, 'choices'>;

function Words({ field, ...common }: ChoiceProps & { readonly field: Field }) {
  const { words = [] } = field;
  // A link may ask for a word of one's own.
  const offered = new Set([...words, ...chosenOf(common.chosen, common.isMany)]);
  const choices = [...offered].map((value) => ({ value, label: wordIn(field, value) }));
  return <ChoiceFilter {...common} choices={choices} />;
}

/** Words of people's own. They are read once the list is opened. One that is not among them can be typed. */
function OpenWords({ suggest, ...common }: ChoiceProps & { readonly suggest: Suggestions | undefined }) {
  const [isOpened, setIsOpened] = useState(false);
  const used = useSuggestions(isOpened && suggest ? { suggest } : {});
  const offered = new Set([...chosenOf(common.chosen, common.isMany), ...used]);
  return <ChoiceFilter {...common} choices={choicesOf(offered)} isOpen onOpen={() => setIsOpened(true)} />;
}

/** The active admins, whom typing finds, before them oneself and nobody. */
function AdminFilter(common: ChoiceProps) {
  const { admin: me } = useSession();
  const [text, setText] = useState('');
  const { data: admins = [] } = useQuery(assigneesQuery(text));
  const { chosen = '' } = common;
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
  return <ChoiceFilter {...common} choices={choices} search={{ text, onChange: setText }} />;
}

const flagChoices = ({ label }: Field) => [
  { value: '1', label },
  { value: '0', label: `Not ${label.toLowerCase()}` },
];

const choicesOf = (words: Iterable<string>) => [...words].map((word) => ({ value: word, label: word }));

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
        <div className={styles.words}>
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
        <Day label="From" day={from} min={firstDay} max={to} onChange={(day) => setDays(day, to)} />
        <Day label="To" day={to} min={from || firstDay} max="" onChange={(day) => setDays(from, day)} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface DayProps {
  readonly label: string;
  /** Empty for none, as its bounds are. */
  readonly day: string;
  readonly min: string;
  readonly max: string;
  readonly onChange: (day: string) => void;
}

/** The input keeps what is typed: `onChange` gets days only. */
function Day({ label, day, min, max, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      defaultValue={day}
      min={min}
      max={max}
      onChange={({ currentTarget: { value } }) => (value === '' || value >= firstDay) && onChange(value)}
    />
  );
}
