import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitBulk } from '../../bulk/batches.ts';
import { type Format, withFormats } from '../../output/emit.ts';
import { assignmentOf, toAssigneeId } from '../admins/assignee.ts';
import { changeIssues } from './change-issues.ts';
import { type IssueSelectionOptions, readIssueSelection, withIssueSelection } from './selection.ts';

interface AssignOptions extends Format, IssueSelectionOptions {
  readonly to: string;
}

/** `backoffice issues assign`. */
export function assignIssuesCommand(): Command {
  const command = withIssueSelection(new Command('assign').description('assign issues to an admin'))
    .requiredOption('--to <assignee>', 'the e-mail or ID of the admin, me, or none')
    .addHelpText(
      'after',
      `
Examples:
  backoffice issues assign 41 42 --to ada@example.com
  backoffice issues assign --filter 'severity:critical status:open assignee:none' --to me`,
    );
  return runs(withFormats(command), 'issues.update').action(
    async (words: readonly string[], { to, ...options }: AssignOptions) => {
      const selection = await readIssueSelection(words, options);
      const { dryRun, yes } = options;
      const done = await withAccess(command, async (access) => {
        const assignee_id = await toAssigneeId(access, to);
        const question = (issues: string) => `${assignmentOf(issues, to)}?`;
        return await changeIssues(access, selection, { set: { assignee_id }, question, dryRun, yes });
      });
      await emitBulk(done, options, 'issue', dryRun);
    },
  );
}
