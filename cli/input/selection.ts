import { Argument, type Command, type Option } from 'commander';
import { UsageError } from '../errors.ts';
import { startsOf, time } from './arguments.ts';
import { type FilterNames, type FilterValues, filterOption, requireValues, withFilter } from './filter.ts';
import { type IdForm, readIds } from './ids.ts';
import { someWords } from './words.ts';

/** The rows that a command changes: those with these ids, or all that match a filter. */
export type Selection<Id, Filter> = { readonly ids: readonly Id[] } | { readonly filter: Filter };

/** The options that select rows of any kind. */
export interface SelectionOptions {
  readonly filter?: FilterValues;
  readonly status?: string;
  readonly assignee?: string;
  readonly label?: string;
  readonly search?: string;
  readonly since?: string;
  readonly until?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** How commands select rows of one kind. */
export interface Selectable<Id> {
  /** What a row is: `issue`. */
  readonly noun: string;
  readonly ids: IdForm<Id>;
  /** What people call several ids: `numbers`. */
  readonly idsName: string;
  readonly statuses: readonly string[];
  /** The names of `--filter` that other kinds of rows lack, and an example of it. */
  readonly filterNames: FilterNames;
  readonly filterExample: string;
  /** Adds the options that other kinds of rows lack. */
  readonly withOwnOptions: (command: Command) => Command;
  /** Describes `--search`. */
  readonly searched: string;
  /** Which of a row's times `--since` and `--until` compare. */
  readonly dated: 'created' | 'updated';
}

/** Adds the argument and the options that select rows to a command. */
export function withSelection<Id>(command: Command, kind: Selectable<Id>): Command {
  const { noun, idsName, statuses, searched, dated } = kind;
  const argument = `the ${idsName} of the ${noun}s; - for those of standard input`;
  const before = command
    .addArgument(new Argument(`[${noun}...]`, argument))
    .addOption(selectionFilter(kind, 'instead: all that match'))
    .addOption(someWords('--status <status>', 'all with this status, or several: a,b', statuses));
  return kind
    .withOwnOptions(before)
    .option('--assignee <assignee>', 'all assigned to this admin: its e-mail or ID, me, or none')
    .option('--label <label>', 'all with this label, or one of several: a,b; none for those without')
    .option('--search <words>', searched)
    .option('--since <time>', `all ${dated} at or after this time: 2026-01-31, yesterday, or 7d`, time)
    .option('--until <time>', `all ${dated} before this time`, time)
    .option('--dry-run', 'only show how many it would be')
    .option('--yes', `do not ask, which more than 20 ${noun}s need`);
}

/** Creates the option `--filter` of a command that selects or lists rows. */
export function selectionFilter<Id>(kind: Selectable<Id>, description: string): Option {
  return filterOption(namesOf(kind), `${description}, such as '${kind.filterExample}'`);
}

function namesOf<Id>({ statuses, filterNames }: Selectable<Id>): FilterNames {
  return {
    ...filterNames,
    status: { option: 'status', parse: startsOf('status', statuses) },
    assignee: { option: 'assignee', parse: (value) => value },
    label: { option: 'label', parse: (value) => value },
    older: { option: 'until', parse: time },
    newer: { option: 'since', parse: time },
    since: { option: 'since', parse: time },
    until: { option: 'until', parse: time },
  };
}

/**
 * Returns the rows that the words and the options of a command select.
 *
 * @throws UsageError if both do, or neither, or for an empty option
 */
export async function readSelection<Id>(
  kind: Selectable<Id>,
  words: readonly string[],
  options: SelectionOptions,
): Promise<Selection<Id, FilterValues>> {
  const selecting = ['search', ...Object.values(namesOf(kind)).map(({ option }) => option)];
  const given = Object.entries(options)
    .filter(([name, value]) => selecting.includes(name) && value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  const wanted = withFilter(Object.fromEntries(given), options.filter);
  requireValues(wanted);
  const { search: q, ...fields } = wanted;
  const filter: FilterValues = { ...fields, q };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { noun, idsName, ids } = kind;
  if (isFiltered === words.length > 0)
    throw new UsageError(
      `Name the ${noun}s by their ${idsName}, or select them by a filter such as --status.`,
    );
  return isFiltered ? { filter } : { ids: await readIds(words, ids) };
}
