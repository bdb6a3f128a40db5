import { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { oneWord } from '../../input/words.ts';
import { printBulkChange, requireKnown } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';

interface UpdateOptions extends Format {
  readonly setStatus?: InputOf<'conversations.update'>['set']['status'];
  readonly read?: true;
  readonly dryRun?: boolean;
}

/** `backoffice conversations update`. */
export function updateConversationsCommand(): Command {
  const command = new Command('update')
    .description('change the status of conversations, or mark them as read')
    .argument('<conversation...>', 'the IDs of the conversations')
    .addOption(oneWord('--set-status <status>', 'the new status', conversationStatuses))
    .option('--read', "mark the visitors' messages as read")
    .option('--dry-run', 'only show how many would change')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations update conv_1769851800000_k3x9a2b --set-status resolved --read',
    );
  return runs(withFormats(command), 'conversations.update').action(
    async (ids: string[], { setStatus: status, read, dryRun: dry_run, ...format }: UpdateOptions) => {
      if (status === undefined && read === undefined)
        throw new UsageError('Say what to change: --set-status, or --read.');
      const done = await withAccess(command, (access) =>
        access.call('conversations.update', { ids, set: { status, read }, dry_run }),
      );
      requireKnown(done, 'conversation');
      await emitChange(done, format, () => printBulkChange(done, 'conversation', dry_run));
    },
  );
}
