import { z } from 'zod';
import { conversations } from '../../fields/conversations.ts';
import { changeShape } from '../../of-noun.ts';
import { expectedConversation } from '../conversations.ts';
import { count, optional } from '../fields.ts';
import { changedFields, changedIds, dryRun, historyFields, wrongId } from './changes.ts';

const wrongRead = 'set.read must be true.';
const oneIdOnly = 'expected needs exactly one id.';

const { status, ...others } = changeShape(conversations, 'set.');

/** What a change of conversations may set. */
const conversationFields = {
  status,
  read: optional(z.literal(true, { error: wrongRead })).meta({
    description: "Marks the visitors' messages as read.",
  }),
  ...others,
};

/** The input of a change of conversations. */
export const conversationUpdate = z
  .object({
    ids: changedIds(z.string(wrongId)),
    set: changedFields(conversationFields),
    expected: expectedConversation,
    dry_run: dryRun,
  })
  .refine(({ ids, expected }) => expected === undefined || new Set(ids).size === 1, { error: oneIdOnly });

export const conversationHistoryEntrySchema = z
  .strictObject({
    ...historyFields,
    messages: count.nullable().meta({ description: 'Of the field `read`: how many messages it is.' }),
  })
  .meta({ id: 'ConversationHistoryEntry' });
