import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';
import { useSession } from '../../app/session/session.ts';
import { assigneesQuery, nameOf } from '../../assignees/assignee-queries.ts';
import { WordsFilter } from '../../parts/inputs/words-filter.tsx';
import { issueStatisticsQuery } from '../issue-chart-queries.ts';
import styles from '../issues-page.module.css';
import type { IssueFiltersProps } from './issue-filters.tsx';

/** The filters of the list whose values one chooses. */
export function IssueChoices({ search, onChange }: IssueFiltersProps) {
  const { data: statistics } = useQuery(issueStatisticsQuery('all'));
  const categories = (statistics?.categoryCounts ?? []).map(({ category }) => category);
  return (
    <>
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
      <Select
        aria-label="Category"
        placeholder="Category"
        data={withChosen(categories, search.category)}
        value={search.category ?? null}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Any category' }}
        nothingFoundMessage="No such category"
        className={styles.pick ?? ''}
        onChange={(category) => onChange({ category: category ?? undefined })}
      />
      <AssigneeFilter search={search} onChange={onChange} />
    </>
  );
}

function AssigneeFilter({ search: { assignee }, onChange }: IssueFiltersProps) {
  const { admin: me } = useSession();
  const { data: admins = [] } = useQuery(assigneesQuery(''));
  const data = [
    { value: 'me', label: 'Me' },
    { value: 'none', label: 'Nobody' },
    ...admins.filter(({ id }) => id !== me.id).map((admin) => ({ value: admin.id, label: nameOf(admin) })),
  ];
  const isKnown = data.some(({ value }) => value === assignee);
  return (
    <Select
      aria-label="Assignee"
      placeholder="Assignee"
      data={assignee === undefined || isKnown ? data : [...data, { value: assignee, label: assignee }]}
      value={assignee ?? null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any assignee' }}
      nothingFoundMessage="Nobody found"
      className={styles.pick ?? ''}
      onChange={(next) => onChange({ assignee: next ?? undefined })}
    />
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
  // A link may ask for a word of one's own.
  const offered = new Set([...words, ...(chosen?.split(',') ?? [])]);
  return (
    <WordsFilter
      label={label}
      choices={[...offered].map((word) => ({ value: word, label: word }))}
      chosen={chosen}
      onChange={onChange}
      className={styles.pick}
    />
  );
}

/** Returns the words that are offered, with the chosen one, which an address may name. */
function withChosen(words: readonly string[], chosen: string | undefined): readonly string[] {
  const known = words.filter((word) => word !== '');
  return chosen === undefined || known.includes(chosen) ? known : [chosen, ...known];
}
