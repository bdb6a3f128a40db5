import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitBulk } from '../../bulk/batches.ts';
import { type Format, withFormats } from '../../output/emit.ts';
import { assignmentOf, toAssigneeId } from '../admins/assignee.ts';
import { changeConversations } from './change-conversations.ts';
import {
  type ConversationSelectionOptions,
  readConversationSelection,
  withConversationSelection,
} from './selection.ts';

interface AssignOptions extends Format, ConversationSelectionOptions {
  readonly to: string;
}

/** `backoffice conversations assign`. */
export function assignConversationsCommand(): Command {
  const command = withConversationSelection(
    new Command('assign').description('assign conversations to an admin'),
  )
    .requiredOption('--to <assignee>', 'the e-mail or ID of the admin, me, or none')
    .addHelpText(
      'after',
      `
Examples:
  backoffice conversations assign conv_1769851800000_k3x9a2b --to ada@example.com
  backoffice conversations assign --filter 'status:open assignee:none' --to me`,
    );
  return runs(withFormats(command), 'conversations.update').action(
    async (words: readonly string[], { to, ...options }: AssignOptions) => {
      const selection = await readConversationSelection(words, options);
      const { dryRun, yes } = options;
      const done = await withAccess(command, async (access) => {
        const assignee_id = await toAssigneeId(access, to);
        const question = (conversations: string) => `${assignmentOf(conversations, to)}?`;
        return await changeConversations(access, selection, { set: { assignee_id }, question, dryRun, yes });
      });
      await emitBulk(done, options, 'conversation', dryRun);
    },
  );
}
