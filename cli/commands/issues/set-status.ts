import { Command } from 'commander';
import { issueStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { type ExpectedStatus, expectedStatus, withExpected } from '../../input/expected-status.ts';
import { wordArgument } from '../../input/words.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { findIssue } from './find.ts';

/** `backoffice issues set-status`. */
export function setIssueStatusCommand(): Command {
  const command = new Command('set-status')
    .description('change the status of an issue')
    .argument('<issue>', 'the number of the issue', wholeNumber(1))
    .addArgument(wordArgument('<status>', 'the new status', issueStatuses))
    .addOption(expectedStatus(issueStatuses))
    .addHelpText('after', '\nExample:\n  backoffice issues set-status 42 "In Progress"');
  return runs(withFormats(command), 'issues.changeStatus').action(
    async (id: number, status: string, { expected, ...format }: ExpectedStatus) => {
      const changed = await withAccess(command, async (access) => {
        await findIssue(access, id);
        return await access.call('issues.changeStatus', { id, status, ...withExpected(expected) });
      });
      await emitChange(changed, format, () => print(`Issue ${id} is ${status}.`));
    },
  );
}
