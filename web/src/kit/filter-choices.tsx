import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Field, leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import { useSession } from '../app/session/session.ts';
import { type Suggestions, useSuggestions } from '../form/field.tsx';
import { wordIn } from '../parts/words.ts';
import { type Filter, parameterOf } from './address.ts';
import { adminQuery, assigneesQuery, nameOf } from './admins.ts';
import { ChoiceFilter, chosenOf } from './choice-filter.tsx';
import { PeriodFilter } from './period-filter.tsx';

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

interface ChoiceProps {
  readonly label: string;
  /** The chosen values, separated by commas. */
  readonly chosen: string | undefined;
  readonly isMany: boolean;
  readonly onChange: (chosen: string | undefined) => void;
}

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
