import type { InputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { type Bulk, changeRows, nothing } from '../../bulk/batches.ts';
import { confirmMany } from '../../bulk/confirm-many.ts';
import { matchingIds } from '../../bulk/matching-ids.ts';
import { counted, grouped } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import { remark } from '../../terminal.ts';
import { type ConversationSelection, resolveConversationFilter } from './selection.ts';

const conversationList = { operation: 'conversations.list', name: 'conversations' } as const;

/** How many of the conversations a preview by a filter names. */
const maxShown = 5;

type Update = InputOf<'conversations.update'>;

export interface ConversationChange {
  readonly set: Update['set'];
  /** Returns the question for a change of so many conversations. */
  readonly question: (conversations: string) => string;
  /** What the caller saw of the only conversation. */
  readonly expected?: Update['expected'];
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/**
 * Changes the selected conversations, or says what that would do.
 *
 * @throws NotFoundError if the caller named conversations and none exists
 */
export async function changeConversations(
  access: Access,
  selection: ConversationSelection,
  { set, question, expected, dryRun: dry_run = false, yes }: ConversationChange,
): Promise<Bulk> {
  const ids = await findConversations(access, selection, dry_run);
  if (ids.length === 0) return nothing;
  if (!dry_run) await confirmMany(ids.length, question(counted(ids.length, 'conversation')), yes);
  return await changeRows('conversation', ids, (batch) =>
    access.call('conversations.update', { ids: batch, set, expected, dry_run }),
  );
}

/**
 * Returns the ids of the selected conversations. Those that a command names need not exist.
 *
 * @param shows - whether to name the first ones of a filter
 */
export async function findConversations(
  access: Access,
  selection: ConversationSelection,
  shows: boolean,
): Promise<readonly string[]> {
  if ('ids' in selection) return selection.ids;
  const filter = await resolveConversationFilter(access, selection.filter);
  const ids = await matchingIds(access, conversationList, filter, ({ id }) => id);
  if (!shows) return ids;
  const { conversations } = await access.call('conversations.list', { ...filter, limit: maxShown });
  for (const { id, visitor_name, subject, status } of conversations)
    remark(printable(`  ${id}  ${visitor_name}: ${subject === '' ? '(no subject)' : subject} (${status})`));
  if (ids.length > conversations.length) remark(`  and ${grouped(ids.length - conversations.length)} more`);
  return ids;
}
