import { recordedNames } from 'virtual:recorded-names';
import { Autocomplete, MultiSelect, type MultiSelectProps, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { doors } from '../../../src/contract/vocabulary.ts';
import { eventGroups } from '../parts/event-types.ts';
import type { AuditFiltersProps } from './audit-filters.tsx';
import { actorNamesQuery } from './audit-queries.ts';
import { doorWords } from './audit-words.ts';

const doorChoices = doors.map((door) => ({ value: door, label: doorWords[door] }));
const operationNames = recordedNames.toSorted();

/** The filters that are used less often. */
export function MoreFilters({ search, onChange }: AuditFiltersProps) {
  const { data: names = [] } = useQuery(actorNamesQuery);
  return (
    <>
      <WholeText
        label="Who"
        placeholder="An email, or token:<name>"
        text={search.actor}
        suggestions={names}
        onChange={(actor) => onChange({ actor })}
      />
      <Words
        label="Event"
        data={eventGroups}
        chosen={search.event}
        onChange={(event) => onChange({ event })}
      />
      <Words
        label="Operation"
        data={operationNames}
        chosen={search.operation}
        onChange={(operation) => onChange({ operation })}
      />
      <Words
        label="Through"
        data={doorChoices}
        chosen={search.door}
        onChange={(door) => onChange({ door })}
      />
      <WholeText
        label="Subject ID"
        placeholder="Such as 4711"
        text={search.subject}
        onChange={(subject) => onChange({ subject })}
      />
    </>
  );
}

interface WordsProps {
  readonly label: string;
  readonly data: NonNullable<MultiSelectProps['data']>;
  /** The chosen words, separated by commas. */
  readonly chosen: string | undefined;
  readonly onChange: (chosen: string | undefined) => void;
}

function Words({ label, data, chosen, onChange }: WordsProps) {
  return (
    <MultiSelect
      label={label}
      placeholder={chosen === undefined ? 'Any' : ''}
      data={data}
      value={chosen?.split(',') ?? []}
      onChange={(words) => onChange(words.length === 0 ? undefined : words.join(','))}
      searchable
      nothingFoundMessage="Nothing found"
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      comboboxProps={{ withinPortal: false }}
      maxDropdownHeight={200}
    />
  );
}

interface WholeTextProps {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string | undefined;
  readonly suggestions?: readonly string[];
  readonly onChange: (text: string | undefined) => void;
}

/** A text that is compared as a whole, so it counts when it is finished: on Enter, on a suggestion, or when one leaves. */
function WholeText({ label, placeholder, text = '', suggestions, onChange }: WholeTextProps) {
  const [typed, setTyped] = useState(text);
  const finish = (value: string) => {
    const whole = value.trim();
    setTyped(whole);
    if (whole !== text) onChange(whole === '' ? undefined : whole);
  };
  const shared = {
    label,
    placeholder,
    value: typed,
    onBlur: () => finish(typed),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Enter') finish(typed);
    },
  };
  if (suggestions === undefined)
    return <TextInput {...shared} onChange={({ currentTarget }) => setTyped(currentTarget.value)} />;
  return (
    <Autocomplete
      {...shared}
      data={[...suggestions]}
      limit={50}
      maxDropdownHeight={200}
      onChange={setTyped}
      onOptionSubmit={finish}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
