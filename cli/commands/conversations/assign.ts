import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { printBulkChange, requireKnown } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { toAssigneeId } from '../admins/assignee.ts';

interface AssignOptions extends Format {
  readonly to: string;
  readonly dryRun?: boolean;
}

/** `backoffice conversations assign`. */
export function assignConversationsCommand(): Command {
  const command = new Command('assign')
    .description('assign conversations to an admin')
    .argument('<conversation...>', 'the IDs of the conversations')
    .requiredOption('--to <assignee>', 'the e-mail or ID of the admin, me, or none')
    .option('--dry-run', 'only show how many would change')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations assign conv_1769851800000_k3x9a2b --to ada@example.com',
    );
  return runs(withFormats(command), 'conversations.update').action(
    async (ids: string[], { to, dryRun: dry_run, ...format }: AssignOptions) => {
      const done = await withAccess(command, async (access) => {
        const assignee_id = await toAssigneeId(access, to);
        return await access.call('conversations.update', { ids: ids, set: { assignee_id }, dry_run });
      });
      requireKnown(done, 'conversation');
      await emitChange(done, format, () => printBulkChange(done, 'conversation', dry_run));
    },
  );
}
