import { Autocomplete, Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { severities } from '../../../../src/contract/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { issueStatisticsQuery } from '../issue-chart-queries.ts';
import styles from './issue-form.module.css';

/** What is written of an issue. */
export interface IssueTexts {
  readonly title: string;
  readonly category: string;
  readonly severity: string;
  readonly description: string;
  readonly steps_to_reproduce: string;
}

interface IssueFieldsProps<Values extends IssueTexts> {
  readonly form: UseFormReturnType<Values>;
  /** What is below a field. */
  readonly below?: (field: keyof IssueTexts) => ReactNode;
  /** What is beside the severity. */
  readonly status?: ReactNode;
}

/** The fields of an issue, to report and to edit it. Severities and categories are suggestions. */
export function IssueFields<Values extends IssueTexts>({ form, below, status }: IssueFieldsProps<Values>) {
  const { data: statistics } = useQuery(issueStatisticsQuery('all'));
  const severity = form.getValues().severity;
  const known: readonly string[] = severities;
  return (
    <>
      <div className={styles.field}>
        <TextInput
          key={form.key('title')}
          {...form.getInputProps('title')}
          label="Title"
          withAsterisk
          autoComplete="off"
          autoFocus
          data-autofocus
        />
        {below?.('title')}
      </div>
      <div className={styles.pair}>
        <div className={styles.field}>
          <Autocomplete
            key={form.key('category')}
            {...form.getInputProps('category')}
            label="Category"
            placeholder="Other"
            data={(statistics?.categoryCounts ?? []).map(({ category }) => category)}
            limit={20}
          />
          {below?.('category')}
        </div>
        <div className={styles.field}>
          <Select
            key={form.key('severity')}
            {...form.getInputProps('severity')}
            label="Severity"
            data={known.includes(severity) ? known : [severity, ...known]}
            allowDeselect={false}
            renderOption={({ option }) => <Mark word={option.value} />}
          />
          {below?.('severity')}
        </div>
        {status}
      </div>
      <div className={styles.field}>
        <Textarea
          key={form.key('description')}
          {...form.getInputProps('description')}
          label="Description"
          autosize
          minRows={4}
          maxRows={14}
        />
        {below?.('description')}
      </div>
      <div className={styles.field}>
        <Textarea
          key={form.key('steps_to_reproduce')}
          {...form.getInputProps('steps_to_reproduce')}
          label="Steps to reproduce"
          autosize
          minRows={3}
          maxRows={14}
        />
        {below?.('steps_to_reproduce')}
      </div>
    </>
  );
}
