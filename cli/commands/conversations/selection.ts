import { type Command, InvalidArgumentError, type Option } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { conversationIds } from '../../input/ids.ts';
import {
  readSelection,
  type Selectable,
  type Selection,
  type SelectionOptions,
  selectionFilter,
  withSelection,
} from '../../input/selection.ts';
import { resolveAssignee } from '../admins/assignee.ts';

export type ConversationFilter = NonNullable<InputOf<'conversations.list'>>;

/** The conversations that a command changes: those with these ids, or all that match a filter. */
export type ConversationSelection = Selection<string, ConversationFilter>;

/** The options that select conversations. */
export interface ConversationSelectionOptions extends SelectionOptions {
  readonly unread?: true;
}

const conversations: Selectable<string> = {
  noun: 'conversation',
  ids: conversationIds,
  idsName: 'IDs',
  statuses: conversationStatuses,
  filterNames: { is: { option: 'unread', parse: parseUnread } },
  filterExample: 'status:open is:unread older:30d',
  withOwnOptions: (command) => command.option('--unread', 'all with unread messages'),
  searched: 'all whose ID, visitor or subject contains these words',
  dated: 'updated',
};

function parseUnread(word: string): string {
  if (word.toLowerCase() === 'unread') return 'true';
  throw new InvalidArgumentError('The only word is unread.');
}

/** Creates the option that selects conversations by a filter. */
export function conversationFilterOption(description: string): Option {
  return selectionFilter(conversations, description);
}

/** Adds the argument and the options that select conversations to a command. */
export function withConversationSelection(command: Command): Command {
  return withSelection(command, conversations);
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
  return (await readSelection(conversations, words, options)) as ConversationSelection;
}

/** Replaces the e-mail of an assignee by its id. */
export async function resolveConversationFilter(
  access: Access,
  filter: ConversationFilter,
): Promise<ConversationFilter> {
  const { assignee, ...others } = filter;
  return { ...others, ...(await resolveAssignee(access, assignee === undefined ? {} : { assignee })) };
}
