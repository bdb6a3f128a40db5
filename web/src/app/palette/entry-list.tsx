import { Kbd } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Icon } from '../../parts/icon.tsx';
import type { Entry, EntryGroup } from './entry.ts';
import styles from './palette.module.css';

interface EntryListProps {
  readonly id: string;
  readonly groups: readonly EntryGroup[];
  /** The entry that Enter chooses. */
  readonly active: Entry | undefined;
  readonly idOf: (entry: Entry) => string;
  readonly onPoint: (entry: Entry) => void;
  readonly onRun: (entry: Entry) => void;
}

/** What the palette has found, in groups. */
export function EntryList({ id, groups, active, idOf, onPoint, onRun }: EntryListProps) {
  return (
    <div id={id} className={styles.list} role="listbox" aria-label="Commands" tabIndex={-1}>
      {groups.map(({ title, entries }) => (
        <fieldset key={title} className={styles.group} aria-label={title}>
          <div className={styles.title} aria-hidden="true">
            {title}
          </div>
          {entries.map((entry) => (
            <Line
              key={entry.key}
              id={idOf(entry)}
              entry={entry}
              isActive={entry === active}
              onPoint={() => onPoint(entry)}
              onRun={() => onRun(entry)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

interface LineProps {
  readonly id: string;
  readonly entry: Entry;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Line({ id, entry: { label, description, icon, shortcut }, isActive, onPoint, onRun }: LineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) void line.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys.
    <div
      ref={line}
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
      <span className={styles.texts}>
        <span className={styles.label} dir="auto">
          {label}
        </span>
        {description && <bdi className={styles.description}>{description}</bdi>}
      </span>
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
