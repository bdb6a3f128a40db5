import { Button, type ButtonProps, Combobox, useCombobox } from '@mantine/core';
import { useState } from 'react';
import { maxSearchLength } from '../../../src/contract/fields/bounds.ts';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import sheet from '../parts/sheet.module.css';
import styles from './filters.module.css';

interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface ChoiceFilterProps {
  /** What it filters by, such as `Status`. */
  readonly label: string;
  readonly choices: readonly Choice[];
  /** The chosen values, separated by commas. */
  readonly chosen?: string | undefined;
  /** Whether several can be chosen. The list stays open while one chooses. */
  readonly isMany?: boolean;
  /** Whether one may also type a value that is none of the choices. */
  readonly isOpen?: boolean;
  /** What finds the choices, if they are not known as a whole. */
  readonly search?: { readonly text: string; readonly onChange: (text: string) => void };
  /** What its button has, if it is none of a filter. */
  readonly button?: ButtonProps;
  /** Called when the list is opened, such as to load it. */
  readonly onOpen?: () => void;
  readonly onChange: (chosen: string | undefined) => void;
}

/** Returns the chosen values. A single one may have a comma, such as a category. */
export function chosenOf(chosen: string | undefined, isMany = false): readonly string[] {
  if (chosen === undefined) return [];
  return isMany ? chosen.split(',') : [chosen];
}

/** More choices than this can be searched. */
const longList = 12;

/** What the button of each filter has. */
export const buttonOf = (isActive: boolean) => ({
  variant: 'default',
  justify: 'space-between',
  rightSection: <Icon name="chevron" />,
  px: 12,
  fw: 400,
  c: isActive ? 'var(--accent)' : 'var(--ink-soft)',
  bd: isActive ? '1px solid var(--accent)' : undefined,
  className: sheet.pick,
});

/** A filter by one or several choices, in a list below a button that says what is chosen. */
export function ChoiceFilter(props: ChoiceFilterProps) {
  const { label, choices, chosen, isMany = false, isOpen = false, onOpen, onChange } = props;
  const values = chosenOf(chosen, isMany);
  const names = values.map((value) => choices.find((choice) => choice.value === value)?.label ?? value);
  const [first] = names;
  const shown = first === undefined ? label : names.length === 1 ? first : `${label}: ${names.length}`;
  const [text, setText] = useState('');
  const isSearched = isOpen || choices.length > longList;
  const search = props.search ?? (isSearched ? { text, onChange: setText } : undefined);
  const combobox = useCombobox({
    onDropdownOpen: () => {
      onOpen?.();
      combobox.focusSearchInput();
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      search?.onChange('');
    },
  });

  // A closed list stays in the document, without its choices.
  const offered = combobox.dropdownOpened ? found(choices, text, isOpen) : [];

  function choose(value: string): void {
    if (!isMany) combobox.closeDropdown();
    const others = isMany ? values.filter((other) => other !== value) : [];
    const next = values.includes(value) ? others : [...others, value];
    onChange(next.join(',') || undefined);
  }

  return (
    // Beside the button: at the end of the page it would be in no landmark.
    <Combobox
      store={combobox}
      position="bottom-start"
      width={220}
      withinPortal={false}
      onOptionSubmit={choose}
    >
      <Combobox.Target targetType="button">
        <Button
          {...(props.button ?? buttonOf(first !== undefined))}
          aria-label={nameOf(label, shown, names)}
          onClick={() => combobox.toggleDropdown()}
        >
          {shown}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        {search && (
          <Combobox.Search
            aria-label={`Search ${label.toLowerCase()}`}
            placeholder="Search"
            maxLength={maxSearchLength}
            value={search.text}
            onChange={({ currentTarget }) => search.onChange(currentTarget.value)}
          />
        )}
        {/* A list without options is no list for assistive technology. */}
        {offered.length === 0 ? (
          <Combobox.Empty>{isOpen && text === '' ? 'Type what to look for' : 'Nothing found'}</Combobox.Empty>
        ) : (
          <Combobox.Options aria-label={label} tabIndex={0} mah={280} style={{ overflowY: 'auto' }}>
            {offered.map(({ value, label: name }) => (
              <Combobox.Option
                key={value}
                value={value}
                active={values.includes(value)}
                aria-selected={values.includes(value)}
                className={styles.option ?? ''}
              >
                <span className={styles.tick}>{values.includes(value) && <Icon name="check" />}</span>
                <Mark word={name} among={choices.map(({ label }) => label)} />
              </Combobox.Option>
            ))}
          </Combobox.Options>
        )}
        {first !== undefined && (
          <Combobox.Footer>
            <Button
              variant="subtle"
              size="compact-sm"
              color="gray"
              fullWidth
              onClick={() => {
                onChange(undefined);
                combobox.closeDropdown();
              }}
            >
              Any {label.toLowerCase()}
            </Button>
          </Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Returns the choices with a text in their labels; the text itself if others are allowed and there are none. */
function found(choices: readonly Choice[], text: string, isOpen: boolean): readonly Choice[] {
  const typed = text.trim();
  const wanted = typed.toLowerCase();
  const matching = choices.filter(({ label }) => label.toLowerCase().includes(wanted));
  return isOpen && typed !== '' && matching.length === 0 ? [{ value: typed, label: typed }] : matching;
}

/** Returns the name of the button, which has its text and says what is chosen. */
function nameOf(label: string, shown: string, names: readonly string[]): string {
  if (names.length < 2) return names.length === 0 ? label : `${label}: ${shown}`;
  return `${shown}, ${names.join(' and ')}`;
}
