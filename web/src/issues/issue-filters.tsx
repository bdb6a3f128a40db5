import { MultiSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { Icon } from '../parts/icon.tsx';
import type { IssueSearch } from './issue-search.ts';
import styles from './issues-page.module.css';

const typingMs = 250;

interface IssueFiltersProps {
  readonly search: IssueSearch;
  readonly onChange: (part: Partial<IssueSearch>) => void;
}

/** The filters of the list, which are in the page's address. */
export function IssueFilters({ search, onChange }: IssueFiltersProps) {
  return (
    <>
      <Search text={search.q} onChange={(q) => onChange({ q })} />
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
    </>
  );
}

interface SearchProps {
  readonly text: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}

function Search({ text = '', onChange }: SearchProps) {
  const [typed, setTyped] = useState(text);
  const change = useDebouncedCallback(
    (value: string) => onChange(value === '' ? undefined : value),
    typingMs,
  );
  // The address may change without typing: by the back button, or a link.
  useEffect(() => setTyped(text), [text]);
  return (
    <TextInput
      type="search"
      aria-label="Search issues"
      placeholder="Search"
      leftSection={<Icon name="search" />}
      className={styles.search}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        change(value);
      }}
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
  const value = chosen?.split(',') ?? [];
  return (
    <MultiSelect
      aria-label={label}
      placeholder={value.length === 0 ? label : ''}
      data={words}
      value={value}
      onChange={(next) => onChange(next.length === 0 ? undefined : next.join(','))}
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      className={styles.pick ?? ''}
    />
  );
}
