import { Button, MultiSelect, VisuallyHidden } from '@mantine/core';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { Icon } from '../parts/icon.tsx';
import { localTime } from '../parts/moment.tsx';
import { SearchField } from '../parts/search-field.tsx';
import type { IssueSearch } from './issue-search.ts';
import styles from './issues-page.module.css';

interface IssueFiltersProps {
  readonly search: IssueSearch;
  readonly onChange: (part: Partial<IssueSearch>) => void;
}

/** The filters of the list, which are in the page's address. */
export function IssueFilters({ search, onChange }: IssueFiltersProps) {
  return (
    <>
      <SearchField
        label="Search issues"
        text={search.q}
        className={styles.search}
        onChange={(q) => onChange({ q })}
      />
      <Words
        label="Status"
        words={issueStatuses}
        chosen={search.status}
        onChange={(status) => onChange({ status })}
      />
      <Words
        label="Severity"
        words={severities}
        chosen={search.severity}
        onChange={(severity) => onChange({ severity })}
      />
      {(search.since ?? search.until) !== undefined && (
        <ReportedBetween search={search} onChange={onChange} />
      )}
    </>
  );
}

/** The times that a link of a chart set, and a button to leave them out. */
function ReportedBetween({ search: { since, until }, onChange }: IssueFiltersProps) {
  const text = [since && `from ${localTime(since)}`, until && `before ${localTime(until)}`];
  return (
    <Button
      variant="default"
      rightSection={<Icon name="close" />}
      onClick={() => onChange({ since: undefined, until: undefined })}
    >
      Reported {text.filter(Boolean).join(', ')}
      <VisuallyHidden>, clear</VisuallyHidden>
    </Button>
  );
}

interface WordsProps {
  readonly label: string;
  readonly words: readonly string[];
  /** The chosen words, separated by commas. */
  readonly chosen: string | undefined;
  readonly onChange: (chosen: string | undefined) => void;
}

function Words({ label, words, chosen, onChange }: WordsProps) {
  const value = chosen?.split(',') ?? [];
  return (
    <MultiSelect
      aria-label={label}
      placeholder={value.length === 0 ? label : ''}
      // A link may ask for a word of one's own.
      data={[...new Set([...words, ...value])]}
      value={value}
      onChange={(next) => onChange(next.length === 0 ? undefined : next.join(','))}
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      className={styles.pick ?? ''}
    />
  );
}
