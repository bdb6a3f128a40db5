import { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { issueStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitBulk } from '../../bulk/batches.ts';
import { UsageError } from '../../errors.ts';
import { type ExpectedStatus, expectedStatus, withExpected } from '../../input/expected-status.ts';
import { endsWith, splitLast } from '../../input/last-word.ts';
import { wordArgument } from '../../input/words.ts';
import { remarkUndo } from '../../output/bulk-change.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { isForPeople } from '../../output/formats.ts';
import { print } from '../../terminal.ts';
import { changeIssues } from './change-issues.ts';
import { findIssue } from './find.ts';
import { type IssueSelectionOptions, readIssueSelection, withIssueSelection } from './selection.ts';

type Status = InputOf<'issues.update'>['set']['status'];

/** `backoffice issues set-status`. */
export function setIssueStatusCommand(): Command {
  const command = withIssueSelection(new Command('set-status').description('change the status of issues'))
    .addOption(expectedStatus(issueStatuses))
    .addHelpText(
      'after',
      `
Examples:
  backoffice issues set-status 41 42 43 Closed
  backoffice issues set-status 42 "In Progress" --expected Open
  backoffice issues set-status Closed --filter 'severity:low status:open older:365d' --dry-run
  backoffice issues list --status Resolved --until 90d --quiet | backoffice issues set-status - Closed`,
    );
  endsWith(command, wordArgument('<status>', 'the new status', issueStatuses));
  return runs(withFormats(command), 'issues.update').action(
    async (words: readonly string[], options: IssueSelectionOptions & ExpectedStatus) => {
      const { others, last: status } = splitLast(command, words);
      const { expected, dryRun, yes } = options;
      const selection = await readIssueSelection(others, options);
      const [only] = 'ids' in selection && others.length === 1 && others[0] !== '-' ? selection.ids : [];
      if (expected !== undefined && only === undefined)
        throw new UsageError('--expected needs the number of one issue.');
      const done = await withAccess(command, async (access) => {
        if (only !== undefined) await findIssue(access, only);
        return await changeIssues(access, selection, {
          set: { status: status as Status },
          question: (issues) => `Set ${issues} to ${status}?`,
          ...withExpected(expected),
          dryRun,
          yes,
        });
      });
      if (only === undefined || dryRun) return await emitBulk(done, options, 'issue', dryRun);
      await emitChange(done.answer, options, () => print(`Issue ${only} is ${status}.`));
      if (isForPeople(options)) remarkUndo(done.changes);
    },
  );
}
