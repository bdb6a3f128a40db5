import { Argument, type Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { UsageError } from '../../errors.ts';
import { someOf, textsWith, time } from '../../input/arguments.ts';
import { type FilterNames, type FilterValues, filterOption } from '../../input/filter.ts';
import { issueIds, readIds } from '../../input/ids.ts';
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
  severity: { option: 'severity', parse: textsWith(severities) },
  status: { option: 'status', parse: someOf(issueStatuses) },
  category: { option: 'category', parse: asGiven },
  assignee: { option: 'assignee', parse: asGiven },
  older: { option: 'until', parse: time },
  newer: { option: 'since', parse: time },
  since: { option: 'since', parse: time },
  until: { option: 'until', parse: time },
};

/** Adds the argument and the options that select issues to a command. */
export function withIssueSelection(command: Command): Command {
  return command
    .addArgument(new Argument('[issue...]', 'the numbers of the issues; - for those of standard input'))
    .addOption(filterOption(filterNames, 'severity:high status:open older:30d'))
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

/** Replaces what people write in a filter by what the service stores: the id of an assignee, the case of a category. */
export async function resolveFilter(access: Access, filter: IssueFilter): Promise<IssueFilter> {
  const { assignee, category, ...others } = filter;
  return {
    ...others,
    ...(await resolveAssignee(access, assignee === undefined ? {} : { assignee })),
    ...(category === undefined ? {} : { category: await storedCategory(access, category) }),
  };
}

async function storedCategory(access: Access, given: string): Promise<string> {
  const found = await access.call('issues.list', { period: 'all' });
  const stored = 'categoryCounts' in found ? found.categoryCounts.map(({ category }) => category) : [];
  if (stored.includes(given)) return given;
  return stored.find((category) => category.toLowerCase() === given.toLowerCase()) ?? given;
}
