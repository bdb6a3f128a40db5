import { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitBulk } from '../../bulk/batches.ts';
import { UsageError } from '../../errors.ts';
import { oneWord } from '../../input/words.ts';
import { type Format, withFormats } from '../../output/emit.ts';
import { toAssigneeId } from '../admins/assignee.ts';
import { type LabelChanges, labelsToSet, withLabelChanges } from '../labels/options.ts';
import { changeConversations } from './change-conversations.ts';
import {
  type ConversationSelectionOptions,
  readConversationSelection,
  withConversationSelection,
} from './selection.ts';

interface UpdateOptions extends Format, ConversationSelectionOptions, LabelChanges {
  readonly setStatus?: InputOf<'conversations.update'>['set']['status'];
  readonly setAssignee?: string;
  readonly read?: true;
}

/** `backoffice conversations update`. */
export function updateConversationsCommand(): Command {
  const command = withLabelChanges(
    withConversationSelection(
      new Command('update').description(
        'change the status or labels of conversations, assign them, or mark them as read',
      ),
    ),
  )
    .addOption(oneWord('--set-status <status>', 'the new status', conversationStatuses))
    .option('--set-assignee <assignee>', 'the e-mail or ID of the new assignee, me, or none')
    .option('--read', "mark the visitors' messages as read")
    .addHelpText(
      'after',
      `
Examples:
  backoffice conversations update conv_1769851800000_k3x9a2b --set-status resolved --read
  backoffice conversations update --filter 'is:unread older:90d' --set-status closed --read --dry-run`,
    );
  return runs(withFormats(command), 'conversations.update').action(
    async (words: readonly string[], options: UpdateOptions) => {
      const { setStatus: status, setAssignee, read, dryRun, yes } = options;
      const labels = labelsToSet(options);
      const selection = await readConversationSelection(words, options);
      const isEmpty = [status, setAssignee, read].every((given) => given === undefined);
      if (isEmpty && Object.keys(labels).length === 0)
        throw new UsageError(
          'Say what to change: --set-status, --set-assignee, --add-label, --remove-label, or --read.',
        );
      const done = await withAccess(command, async (access) => {
        const assignee =
          setAssignee === undefined ? {} : { assignee_id: await toAssigneeId(access, setAssignee) };
        return await changeConversations(access, selection, {
          set: { status, read, ...assignee, ...labels },
          question: (conversations) => `Change ${conversations}?`,
          dryRun,
          yes,
        });
      });
      await emitBulk(done, options, 'conversation', dryRun);
    },
  );
}
