import { Button, Menu, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Field, leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import { useSession } from '../app/session/session.ts';
import type { Suggestions } from '../form/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { WordsFilter } from '../parts/inputs/words-filter.tsx';
import sheet from '../parts/sheet.module.css';
import { localTime } from '../parts/time/moment.tsx';
import { type Filter, parameterOf } from './address.ts';
import { assigneesQuery, nameOf } from './admins.ts';

interface FilterChoicesProps {
  readonly noun: Noun;
  readonly filter: Filter;
  readonly suggest: Readonly<Record<string, Suggestions>>;
  readonly onChange: (part: Filter) => void;
}

/** The filters of a list whose values one chooses, as the catalogue says. */
export function FilterChoices({ noun, filter, suggest, onChange }: FilterChoicesProps) {
  return (
    <>
      {leadingFields<Noun, 'filter'>(noun, 'filter').map(([name, field]) => {
        const parameter = parameterOf(name, field);
        const common = {
          label: field.label,
          chosen: filter[parameter],
          onChange: (value: string | undefined) => onChange({ [parameter]: value }),
        };
        if (field.kind === 'admin') return <AdminFilter key={name} {...common} />;
        if (field.words !== undefined) return <Words key={name} {...common} words={field.words} />;
        return <OpenWords key={name} {...common} field={field} suggest={suggest[name]} />;
      })}
      {noun.fields.created_at && <PeriodChoice filter={filter} onChange={onChange} />}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The chosen values, separated by commas. */
  readonly chosen: string | undefined;
  readonly onChange: (chosen: string | undefined) => void;
}

function Words({ words, chosen, ...others }: ChoiceProps & { readonly words: readonly string[] }) {
  // A link may ask for a word of one's own.
  const offered = new Set([...words, ...(chosen?.split(',') ?? [])]);
  const choices = [...offered].map((word) => ({ value: word, label: word }));
  return <WordsFilter {...others} choices={choices} chosen={chosen} className={sheet.pick} />;
}

interface OpenWordsProps extends ChoiceProps {
  readonly field: Field;
  readonly suggest: Suggestions | undefined;
}

/** Words of people's own: one of them, or several of labels. They are read once the list is opened. */
function OpenWords({ label, field, suggest, chosen, onChange }: OpenWordsProps) {
  const [isOpened, setIsOpened] = useState(false);
  const { data: found = [] } = useQuery({
    ...(suggest ?? { queryKey: ['no-suggestions'], queryFn: () => [] as readonly string[] }),
    enabled: isOpened && suggest !== undefined,
  });
  const values = chosen?.split(',') ?? [];
  const isMany = field.filter === 'some';
  const left = found.filter((word) => word !== '' && !values.includes(word));
  const data = isMany ? [...left] : [...values, ...left];
  return (
    <Select
      aria-label={label}
      placeholder={isMany && values.length > 0 ? `${label}: ${values.join(', ')}` : label}
      data={data}
      value={isMany ? null : (chosen ?? null)}
      searchable
      clearable={values.length > 0}
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      nothingFoundMessage="Nothing found"
      className={sheet.pick ?? ''}
      onDropdownOpen={() => setIsOpened(true)}
      onClear={() => onChange(undefined)}
      onChange={(word) => {
        if (word !== null) onChange(isMany ? [...values, word].join(',') : word);
        else if (!isMany) onChange(undefined);
      }}
    />
  );
}

function AdminFilter({ label, chosen, onChange }: ChoiceProps) {
  const { admin: me } = useSession();
  const { data: admins = [] } = useQuery(assigneesQuery(''));
  const data = [
    { value: 'me', label: 'Me' },
    { value: 'none', label: 'Nobody' },
    ...admins.filter(({ id }) => id !== me.id).map((admin) => ({ value: admin.id, label: nameOf(admin) })),
  ];
  const isKnown = chosen === undefined || data.some(({ value }) => value === chosen);
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={isKnown ? data : [...data, { value: chosen, label: chosen }]}
      value={chosen ?? null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      nothingFoundMessage="Nobody found"
      className={sheet.pick ?? ''}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

const dayMs = 86_400_000;
const periods = [
  ['Last 24 hours', 1],
  ['Last 7 days', 7],
  ['Last 30 days', 30],
  ['Last 12 months', 365],
] as const;

/** A period from a time on, or the one that a link of a chart has set. */
function PeriodChoice({
  filter: { since, until },
  onChange,
}: Pick<FilterChoicesProps, 'filter' | 'onChange'>) {
  const isAny = since === undefined && until === undefined;
  const bounds = [since && `from ${localTime(since)}`, until && `before ${localTime(until)}`];
  const shown = isAny ? 'Any time' : bounds.filter(Boolean).join(', ');
  return (
    <Menu position="bottom-start" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          data-active={!isAny || undefined}
          aria-label={`Time: ${shown}`}
          rightSection={<Icon name="chevron" />}
        >
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChange({ since: undefined, until: undefined })}>Any time</Menu.Item>
        {periods.map(([label, days]) => (
          <Menu.Item key={label} onClick={() => onChange({ since: startOf(days), until: undefined })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const startOf = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
