import type { Command, Option } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { UsageError } from '../../errors.ts';
import type { FilterValues } from '../../input/filter.ts';
import { issueIds } from '../../input/ids.ts';
import { matchingWord } from '../../input/matching-word.ts';
import {
  readSelection,
  type Selectable,
  type Selection,
  type SelectionOptions,
  selectionFilter,
  withSelection,
} from '../../input/selection.ts';
import { severityOption } from '../../input/words.ts';
import { resolveAssignee } from '../admins/assignee.ts';

export type IssueFilter = NonNullable<InputOf<'issues.update'>['filter']>;

/** The issues that a command changes: those with these ids, or all that match a filter. */
export type IssueSelection = Selection<number, IssueFilter>;

/** The options that select issues. */
export interface IssueSelectionOptions extends SelectionOptions {
  readonly severity?: string;
  readonly category?: string;
}

const asGiven = (value: string) => value;

const issues: Selectable<number> = {
  noun: 'issue',
  ids: issueIds,
  idsName: 'numbers',
  statuses: issueStatuses,
  filterNames: {
    severity: { option: 'severity', parse: asGiven },
    category: { option: 'category', parse: asGiven },
  },
  filterExample: 'severity:high status:open older:30d',
  withOwnOptions: (command) =>
    command
      .addOption(severityOption('--severity <severity>', 'all with this severity, or several: a,b'))
      .option('--category <category>', 'all in this category'),
  searched: 'all that contain these words, in any order',
  dated: 'created',
};

/** Creates the option that selects issues by a filter. */
export function issueFilterOption(description: string): Option {
  return selectionFilter(issues, description);
}

/** Adds the argument and the options that select issues to a command. */
export function withIssueSelection(command: Command): Command {
  return withSelection(command, issues);
}

/**
 * Returns the issues that the words and the options of a command select.
 *
 * @throws UsageError if both do, or neither
 */
export async function readIssueSelection(
  words: readonly string[],
  options: IssueSelectionOptions,
): Promise<IssueSelection> {
  return await readSelection(issues, words, options);
}

/** Returns the options of a list that a filter stands for. */
export async function listOptionsOf(access: Access, filter: FilterValues = {}): Promise<FilterValues> {
  const { severity, category, ...others } = filter;
  return { ...others, ...(await resolveFilter(access, { severity, category })) };
}

/**
 * Replaces what people write in a filter by what the service stores: the id of an assignee, severities and a category as
 * issues have them.
 *
 * @throws UsageError for a severity or category that no issue has
 */
export async function resolveFilter(access: Access, filter: IssueFilter): Promise<IssueFilter> {
  const { assignee, severity, category, ...others } = filter;
  const words = [severity, category].some((given) => given !== undefined) ? await wordsInUse(access) : null;
  const found = (name: string, given: string | undefined, used: readonly string[] | undefined) =>
    given === undefined || used === undefined ? {} : { [name]: wordsOf(name, given, used) };
  return {
    ...others,
    ...(await resolveAssignee(access, assignee === undefined ? {} : { assignee })),
    ...found('severity', severity, words?.severities),
    ...found('category', category, words?.categories),
  };
}

async function wordsInUse(access: Access) {
  const found = await access.call('issues.list', { period: 'all' });
  if (!('categoryCounts' in found)) return null;
  return {
    severities: [...new Set([...severities, ...found.severityTotals.map((each) => each.severity)])],
    categories: found.categoryCounts.map((each) => each.category),
  };
}

/** Returns the severities or the category in use that start with the given words. Only severities may be several. */
function wordsOf(name: string, given: string, used: readonly string[]): string {
  if (used.includes(given)) return given;
  const parts = name === 'severity' ? given.split(',') : [given];
  return parts
    .map((part) => {
      const { word, problem } = matchingWord(name, part, used);
      if (problem !== undefined) throw new UsageError(problem);
      return word;
    })
    .join(',');
}
