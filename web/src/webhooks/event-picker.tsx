import { Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { eventGroups } from '../parts/event-types.ts';
import styles from './event-picker.module.css';

interface EventPickerProps {
  /** The chosen event types; null for all. */
  readonly defaultValue?: readonly string[] | null;
  readonly onChange?: (types: readonly string[] | null) => void;
  readonly error?: ReactNode;
}

/** Chooses all event types, or some of them by what they are about. */
export function EventPicker({ defaultValue = null, onChange, error }: EventPickerProps) {
  const [chosen, setChosen] = useState(defaultValue);
  const change = (types: readonly string[] | null) => {
    setChosen(types);
    onChange?.(types);
  };
  return (
    <fieldset className={styles.events}>
      <legend>Events</legend>
      <SegmentedControl
        aria-label="Which events"
        data={[
          { value: 'all', label: 'All, also future ones' },
          { value: 'some', label: 'Only some' },
        ]}
        value={chosen === null ? 'all' : 'some'}
        onChange={(value) => change(value === 'all' ? null : [])}
      />
      {chosen !== null && <Types chosen={new Set(chosen)} onChange={change} />}
      {error && (
        <p className={styles.wrong} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface TypesProps {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (types: readonly string[]) => void;
}

function Types({ chosen, onChange }: TypesProps) {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const groups = eventGroups
    .map(({ group, items }) => ({
      group,
      items: items.filter((type) => `${type} ${group}`.toLowerCase().includes(wanted)),
    }))
    .filter(({ items }) => items.length > 0);
  const toggle = (types: readonly string[], isOn: boolean) =>
    onChange([...(isOn ? chosen.union(new Set(types)) : chosen.difference(new Set(types)))]);
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search events"
        placeholder="Search events"
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it */}
      <section className={styles.groups} aria-label="Events to send" tabIndex={0}>
        {groups.length === 0 && <p className={styles.none}>No event matches.</p>}
        {groups.map(({ group, items }) => {
          const count = items.filter((type) => chosen.has(type)).length;
          return (
            <div key={group} className={styles.group}>
              {items.length > 1 && (
                <Checkbox
                  label={group}
                  checked={count === items.length}
                  indeterminate={count > 0 && count < items.length}
                  onChange={({ currentTarget }) => toggle(items, currentTarget.checked)}
                />
              )}
              <div className={items.length > 1 ? styles.types : undefined}>
                {items.map((type) => (
                  <Checkbox
                    key={type}
                    label={type}
                    checked={chosen.has(type)}
                    onChange={({ currentTarget }) => toggle([type], currentTarget.checked)}
                  />
                ))}
              </div>
            </div>
          );
        })}
      </section>
    </>
  );
}
