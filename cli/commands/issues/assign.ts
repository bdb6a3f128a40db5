import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { repeated, wholeNumber } from '../../input/arguments.ts';
import { printBulkChange, requireKnown } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { toAssigneeId } from '../admins/assignee.ts';

interface AssignOptions extends Format {
  readonly to: string;
  readonly dryRun?: boolean;
}

/** `backoffice issues assign`. */
export function assignIssuesCommand(): Command {
  const command = new Command('assign')
    .description('assign issues to an admin')
    .argument('<issue...>', 'the numbers of the issues', repeated(wholeNumber(1)))
    .requiredOption('--to <assignee>', 'the e-mail or ID of the admin, me, or none')
    .option('--dry-run', 'only show how many would change')
    .addHelpText('after', '\nExample:\n  backoffice issues assign 41 42 --to ada@example.com');
  return runs(withFormats(command), 'issues.update').action(
    async (ids: readonly number[], { to, dryRun: dry_run, ...format }: AssignOptions) => {
      const done = await withAccess(command, async (access) => {
        const assignee_id = await toAssigneeId(access, to);
        return await access.call('issues.update', { ids: [...ids], set: { assignee_id }, dry_run });
      });
      requireKnown(done, 'issue');
      await emitChange(done, format, () => printBulkChange(done, 'issue', dry_run));
    },
  );
}
