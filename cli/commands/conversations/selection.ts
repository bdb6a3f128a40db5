import { Argument, type Command, InvalidArgumentError, type Option } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { UsageError } from '../../errors.ts';
import { startsOf, time } from '../../input/arguments.ts';
import { type FilterNames, type FilterValues, filterOption } from '../../input/filter.ts';
import { conversationIds, readIds } from '../../input/ids.ts';
import { someWords } from '../../input/words.ts';
import { resolveAssignee } from '../admins/assignee.ts';

export type ConversationFilter = NonNullable<InputOf<'conversations.list'>>;

/** The conversations that a command changes: those with these ids, or all that match a filter. */
export type ConversationSelection =
  | { readonly ids: readonly string[] }
  | { readonly filter: ConversationFilter };

/** The options that select conversations by a filter. */
export interface ConversationSelectionOptions {
  readonly filter?: FilterValues;
  readonly status?: string;
  readonly unread?: true;
  readonly assignee?: string;
  readonly search?: string;
  readonly since?: string;
  readonly until?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const filterNames: FilterNames = {
  status: { option: 'status', parse: startsOf('status', conversationStatuses) },
  assignee: { option: 'assignee', parse: (value) => value },
  is: { option: 'unread', parse: parseUnread },
  older: { option: 'until', parse: time },
  newer: { option: 'since', parse: time },
  since: { option: 'since', parse: time },
  until: { option: 'until', parse: time },
};

function parseUnread(word: string): string {
  if (word.toLowerCase() === 'unread') return 'true';
  throw new InvalidArgumentError('The only word is unread.');
}

/** Creates the option that selects conversations by a filter. */
export function conversationFilterOption(description: string): Option {
  return filterOption(filterNames, `${description}, such as 'status:open is:unread older:30d'`);
}

/** Adds the argument and the options that select conversations to a command. */
export function withConversationSelection(command: Command): Command {
  return command
    .addArgument(
      new Argument('[conversation...]', 'the IDs of the conversations; - for those of standard input'),
    )
    .addOption(conversationFilterOption('instead: all that match'))
    .addOption(someWords('--status <status>', 'all with this status, or several: a,b', conversationStatuses))
    .option('--unread', 'all with unread messages')
    .option('--assignee <assignee>', 'all assigned to this admin: its e-mail or ID, me, or none')
    .option('--search <words>', 'all whose ID, visitor or subject contains these words')
    .option('--since <time>', 'all updated at or after this time: 2026-01-31, yesterday, or 7d', time)
    .option('--until <time>', 'all updated before this time', time)
    .option('--dry-run', 'only show how many it would be')
    .option('--yes', 'do not ask, which more than 20 conversations need');
}

/**
 * Returns the conversations that the words and the options of a command select.
 *
 * @throws UsageError if both do, or neither
 */
export async function readConversationSelection(
  words: readonly string[],
  options: ConversationSelectionOptions,
): Promise<ConversationSelection> {
  const { filter = {}, status, unread, assignee, search, since, until } = options;
  const given = { status, unread: unread && 'true', assignee, search, since, until };
  const twice = Object.entries(given).find(([name, value]) => value !== undefined && name in filter);
  if (twice !== undefined) throw new UsageError(`Use either --${twice[0]} or --filter for it, not both.`);
  const { search: q, ...fields } = { ...given, ...filter };
  const isFiltered = [q, ...Object.values(fields)].some((value) => value !== undefined);
  if (isFiltered === words.length > 0)
    throw new UsageError('Name the conversations by their IDs, or select them by a filter such as --status.');
  return isFiltered
    ? { filter: { ...fields, q } as ConversationFilter }
    : { ids: await readIds(words, conversationIds) };
}

/** Replaces the e-mail of an assignee by its id. */
export async function resolveConversationFilter(
  access: Access,
  filter: ConversationFilter,
): Promise<ConversationFilter> {
  const { assignee, ...others } = filter;
  return { ...others, ...(await resolveAssignee(access, assignee === undefined ? {} : { assignee })) };
}
