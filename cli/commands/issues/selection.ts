import { Argument, type Command, type Option } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { UsageError } from '../../errors.ts';
import { startsOf, time } from '../../input/arguments.ts';
import { type FilterNames, type FilterValues, filterOption } from '../../input/filter.ts';
import { issueIds, readIds } from '../../input/ids.ts';
import { matchingWord } from '../../input/matching-word.ts';
import { severityOption, someWords } from '../../input/words.ts';
import { resolveAssignee } from '../admins/assignee.ts';

export type IssueFilter = NonNullable<InputOf<'issues.update'>['filter']>;

/** The issues that a command changes: those with these ids, or all that match a filter. */
export type IssueSelection = { readonly ids: readonly number[] } | { readonly filter: IssueFilter };

/** The options that select issues by a filter. */
export interface IssueSelectionOptions {
  readonly filter?: FilterValues;
  readonly status?: string;
  readonly severity?: string;
  readonly category?: string;
  readonly assignee?: string;
  readonly search?: string;
  readonly since?: string;
  readonly until?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const asGiven = (value: string) => value;

const filterNames: FilterNames = {
  severity: { option: 'severity', parse: asGiven },
  status: { option: 'status', parse: startsOf('status', issueStatuses) },
  category: { option: 'category', parse: asGiven },
  assignee: { option: 'assignee', parse: asGiven },
  older: { option: 'until', parse: time },
  newer: { option: 'since', parse: time },
  since: { option: 'since', parse: time },
  until: { option: 'until', parse: time },
};

/** Creates the option that selects issues by a filter. */
export function issueFilterOption(description: string): Option {
  return filterOption(filterNames, `${description}, such as 'severity:high status:open older:30d'`);
}

/** Returns the options of a list that a filter stands for. */
export async function listOptionsOf(
  access: Access,
  filter: FilterValues = {},
): Promise<Readonly<Record<string, string | undefined>>> {
  const { severity, category, ...others } = filter;
  return { ...others, ...(await resolveFilter(access, { severity, category })) };
}

/** Adds the argument and the options that select issues to a command. */
export function withIssueSelection(command: Command): Command {
  return command
    .addArgument(new Argument('[issue...]', 'the numbers of the issues; - for those of standard input'))
    .addOption(issueFilterOption('instead: all that match'))
    .addOption(someWords('--status <status>', 'all with this status, or several: a,b', issueStatuses))
    .addOption(severityOption('--severity <severity>', 'all with this severity, or several: a,b'))
    .option('--category <category>', 'all in this category')
    .option('--assignee <assignee>', 'all assigned to this admin: its e-mail or ID, me, or none')
    .option('--search <words>', 'all that contain these words, in any order')
    .option('--since <time>', 'all created at or after this time: 2026-01-31, yesterday, or 7d', time)
    .option('--until <time>', 'all created before this time', time)
    .option('--dry-run', 'only show how many it would be')
    .option('--yes', 'do not ask, which more than 20 issues need');
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
  const { filter = {}, status, severity, category, assignee, search, since, until } = options;
  const given = { status, severity, category, assignee, search, since, until };
  const twice = Object.entries(given).find(([name, value]) => value !== undefined && name in filter);
  if (twice !== undefined) throw new UsageError(`Use either --${twice[0]} or --filter for it, not both.`);
  const { search: q, ...fields } = { ...given, ...filter };
  const isFiltered = [q, ...Object.values(fields)].some((value) => value !== undefined);
  if (isFiltered === words.length > 0)
    throw new UsageError('Name the issues by their numbers, or select them by a filter such as --status.');
  return isFiltered ? { filter: { ...fields, q } } : { ids: await readIds(words, issueIds) };
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
