import { Icon } from '../parts/icon.tsx';
import { FilterBar } from '../parts/page/page.tsx';
import type { AuditFiltersProps } from './audit-filters.tsx';
import styles from './audit-page.module.css';
import { doorWords } from './audit-words.ts';

const names = {
  actor: 'Who',
  event: 'Event',
  operation: 'Operation',
  door: 'Through',
  subject: 'Subject',
} as const;

/** The filters that are set, each with a button that takes it away. */
export function ChosenFilters({ search, onChange }: AuditFiltersProps) {
  const chosen = Object.entries(names).flatMap(([key, name]) => {
    const value = search[key as keyof typeof names];
    return value === undefined ? [] : [{ key, name, text: inWords(key, value) }];
  });
  if (chosen.length === 0) return null;
  return (
    <FilterBar>
      {chosen.map(({ key, name, text }) => (
        <span key={key} className={styles.chip}>
          <span className={styles.chipText} title={text}>
            <span className={styles.chipName}>{name}:</span> {text}
          </span>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove the filter ${name}`}
            onClick={() => onChange({ [key]: undefined })}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
    </FilterBar>
  );
}

function inWords(key: string, value: string): string {
  const words = value.split(',');
  const shown =
    key === 'door' ? words.map((door) => doorWords[door as keyof typeof doorWords] ?? door) : words;
  return shown.length > 2 ? `${shown.slice(0, 2).join(', ')} and ${shown.length - 2} more` : shown.join(', ');
}
