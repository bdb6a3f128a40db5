import { Kbd, Loader, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { maxSearchLength } from '../../../../src/contract/fields/bounds.ts';
import { SwitchedDialog } from '../../form/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import sheet from '../../parts/sheet.module.css';
import { counted } from '../../parts/words.ts';
import { paletteSwitch } from '../commands/commands.ts';
import { type Entry, type EntryGroup, rememberThing } from './entries.ts';
import styles from './palette.module.css';
import { useKnownGroups, useThings } from './things.ts';

const typingMs = 150;

/** Finds pages, actions and things by their names. */
export function Palette() {
  const close = () => paletteSwitch.set(false);
  return (
    <SwitchedDialog
      opened={paletteSwitch.use()}
      onClose={close}
      size="lg"
      // A drawer or a dialog may be open: the palette leads away from it.
      zIndex={400}
      padding={0}
      centered={false}
      yOffset="12vh"
      withCloseButton={false}
      attributes={{ content: { 'aria-label': 'Commands' } }}
      classNames={{ body: styles.body ?? '' }}
    >
      <Finder onDone={close} />
    </SwitchedDialog>
  );
}

/** The field of the palette and what it finds: a combobox, whose focus stays in the field. */
function Finder({ onDone }: { readonly onDone: () => void }) {
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [chosen, choose] = useState<string>();
  /** Whether Enter was pressed before the search had found anything for the words. */
  const [isEntered, setIsEntered] = useState(false);
  const words = text.trim();
  const [asked] = useDebouncedValue(words, typingMs);
  const things = useThings(words === '' ? '' : asked);
  const groups = orderOf(words, useKnownGroups(words), things.groups);
  const entries = groups.flatMap((group) => group.entries);
  const active = entries.find(({ key }) => key === chosen) ?? entries[0];
  const isSearching = words.length > 1 && (things.isLoading || asked !== words);
  const note = noteOf(entries.length, isSearching, things.hasFailed);
  /** Whether Enter would open what earlier words have found. */
  const isOutdated =
    isSearching && (active === undefined || things.groups.some(({ entries }) => entries.includes(active)));

  function run(entry: Entry): void {
    if (entry.isThing) rememberThing(entry);
    onDone();
    if (entry.link !== undefined) void navigate(entry.link);
    entry.run?.();
  }

  useEffect(() => {
    if (isEntered && !isSearching && active !== undefined) run(active);
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const index = active === undefined ? -1 : entries.indexOf(active);
    if (event.key === 'ArrowDown') choose(entries[(index + 1) % entries.length]?.key);
    else if (event.key === 'ArrowUp') choose(entries.at(index - 1)?.key);
    else if (event.key === 'Enter' && isOutdated) setIsEntered(true);
    else if (event.key === 'Enter' && active !== undefined) run(active);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <TextInput
        size="md"
        variant="unstyled"
        className={styles.field}
        role="combobox"
        aria-label="Command"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active && idOf(listId, active)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        maxLength={maxSearchLength}
        placeholder="Find a page, an action, an issue, a visitor…"
        leftSection={<Icon name="search" />}
        rightSection={isSearching ? <Loader size="xs" aria-label="Searching" /> : null}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setIsEntered(false);
          choose(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden role="status">
        {isSearching ? 'Searching' : counted(entries.length, 'result')}
      </VisuallyHidden>
      {entries.length > 0 && (
        <div
          id={listId}
          className={`${sheet.list} ${styles.list}`}
          role="listbox"
          aria-label="Commands"
          tabIndex={-1}
        >
          {groups.map((group) => (
            <fieldset key={group.title} aria-label={group.title}>
              <div className={`${sheet.small} ${styles.title}`} aria-hidden="true">
                {group.title}
              </div>
              {group.entries.map((entry) => (
                <Line
                  key={entry.key}
                  id={idOf(listId, entry)}
                  entry={entry}
                  isActive={entry === active}
                  onPoint={() => choose(entry.key)}
                  onRun={() => run(entry)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {note && <p className={styles.note}>{note}</p>}
    </>
  );
}

const idOf = (listId: string, { key }: Entry) => `${listId}-${key.replaceAll(' ', '-')}`;

/** Returns the groups with the likeliest first, and each thing once. */
function orderOf(
  words: string,
  known: readonly EntryGroup[],
  found: readonly EntryGroup[],
): readonly EntryGroup[] {
  const recent = new Set(known.flatMap(({ entries }) => entries.map(({ key }) => key)));
  const others = found.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ key }) => !recent.has(key)),
  }));
  // Who types a number wants the issue with it.
  const groups = /^(issue\s*)?#?\d+$/i.test(words) ? [...others, ...known] : [...known, ...others];
  return groups.filter(({ entries }) => entries.length > 0);
}

function noteOf(count: number, isSearching: boolean, hasFailed: boolean): string | undefined {
  if (count > 0) return hasFailed ? 'The search failed. Only pages and actions are listed.' : undefined;
  if (isSearching) return 'Searching…';
  return hasFailed ? 'The search failed. Try again in a moment.' : 'Nothing found. Try fewer or other words.';
}

interface LineProps {
  readonly id: string;
  readonly entry: Entry;
  /** Whether Enter chooses it. */
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

const scrollTo = (line: HTMLElement | null) => void line?.scrollIntoView({ block: 'nearest' });

function Line({ id, entry: { label, description, icon, shortcut }, isActive, onPoint, onRun }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys.
    <div
      ref={isActive ? scrollTo : undefined}
      id={id}
      className={styles.line}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
      // A list that scrolls under a mouse at rest also moves it, by nothing.
      onMouseMove={({ movementX, movementY }) => {
        if (movementX !== 0 || movementY !== 0) onPoint();
      }}
      onClick={onRun}
    >
      <span className={styles.icon}>{icon && <Icon name={icon} />}</span>
      <div className={sheet.grow}>
        <div className={sheet.cut} dir="auto">
          {label}
        </div>
        {description && (
          <div className={`${sheet.cut} ${sheet.small}`} dir="auto">
            {description}
          </div>
        )}
      </div>
      {shortcut && (
        <span className={styles.keys}>
          {shortcut.split(' ').map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </span>
      )}
    </div>
  );
}
