import { Checkbox, VisuallyHidden } from '@mantine/core';
import type { ImportEntry } from './import-diff.ts';
import styles from './import-settings.module.css';

const maxShown = 200;

interface ImportEntriesProps {
  readonly entries: readonly ImportEntry[];
  /** The keys that are not imported. */
  readonly left: ReadonlySet<string>;
  readonly onLeave: (left: ReadonlySet<string>) => void;
}

/** What an import would change, with the values before and after. */
export function ImportEntries({ entries, left, onLeave }: ImportEntriesProps) {
  const writable = entries.filter(({ state }) => state === 'new' || state === 'changed');
  const invalid = entries.filter(({ state }) => state === 'invalid');
  const chosen = writable.filter(({ key }) => !left.has(key)).length;
  if (writable.length + invalid.length === 0)
    return <p className={styles.text}>All settings have these values already. There is nothing to import.</p>;
  return (
    <div className={styles.entries}>
      {writable.length > 1 && (
        <Checkbox
          label="All"
          checked={chosen === writable.length}
          indeterminate={chosen > 0 && chosen < writable.length}
          onChange={({ currentTarget }) =>
            onLeave(new Set(currentTarget.checked ? [] : writable.map(({ key }) => key)))
          }
        />
      )}
      <ul className={styles.list}>
        {writable.map((entry) => (
          <li key={entry.key} className={styles.entry}>
            <Checkbox
              label={
                <>
                  <code>{entry.key}</code> <span className={styles.state}>{entry.state}</span>
                </>
              }
              checked={!left.has(entry.key)}
              onChange={() => onLeave(left.symmetricDifference(new Set([entry.key])))}
            />
            {entry.before != null && <Value sign="−" name="Before" entry={entry} value={entry.before} />}
            <Value sign="+" name="After" entry={entry} value={entry.after ?? ''} />
          </li>
        ))}
        {invalid.map((entry) => (
          <li key={entry.key} className={styles.entry}>
            <span>
              <code>{entry.key}</code> <span className={styles.invalid}>invalid</span>
            </span>
            <span className={styles.invalid}>{entry.reason}</span>
            <Value sign="+" name="After" entry={entry} value={entry.after ?? ''} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ValueProps {
  readonly sign: string;
  readonly name: string;
  readonly entry: ImportEntry;
  readonly value: string;
}

function Value({ sign, name, entry: { isSecret }, value }: ValueProps) {
  const shown = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
  return (
    <span className={styles.value} data-sign={sign}>
      <span aria-hidden="true">{sign}</span>
      <VisuallyHidden>{name}:</VisuallyHidden>
      <code>{isSecret ? '••••••••' : shown || '(empty)'}</code>
    </span>
  );
}
