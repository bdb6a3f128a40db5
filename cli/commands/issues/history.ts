import { Command } from 'commander';
import { historySorts } from '../../../src/contract/fields/sorts.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { issueNumber } from '../../input/ids.ts';
import { sortOption } from '../../input/words.ts';
import { type ListOptions, pagedList, showList } from '../../output/list.ts';
import { withTable } from '../../shown/with-table.ts';
import { historyColumns } from '../changes/history-columns.ts';
import { assigneeNames } from '../changes/name-assignees.ts';
import { findIssue } from './find.ts';

const list = pagedList('issues.history', 'history', 'change_id');

/** `backoffice issues history`. */
export function issueHistoryCommand(): Command {
  const command = new Command('history')
    .description('list the changes of an issue, newest first')
    .argument('<issue>', 'the number of the issue', issueNumber)
    .addOption(sortOption(historySorts))
    .option('--limit <number>', 'maximum number; 0 for all', wholeNumber(0))
    .addHelpText('after', '\nExample:\n  backoffice issues history 42');
  withTable(command, list, {
    page: 'issues',
    search: ([issue]) => ({ issue: String(issue), tab: 'history' }),
  });
  return runs(command, 'issues.history').action(async (id: number, options: ListOptions) => {
    await withAccess(command, async (access) => {
      await findIssue(access, id);
      const ofIssue = { ...options, id: String(id) } as ListOptions;
      await showList(access, list, ofIssue, historyColumns, assigneeNames(access));
    });
  });
}
