import { Command } from 'commander';
import { historySorts } from '../../../src/contract/sorts.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { sortOption } from '../../input/words.ts';
import { type ListOptions, pagedList, type Rows, showList } from '../../output/list.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import { findIssue } from './find.ts';

const columns: readonly Column<Rows['issues.history']>[] = [
  { heading: 'change', field: 'change_id', value: ({ change_id }) => String(change_id), align: 'right' },
  { heading: 'field', value: ({ field }) => field },
  { heading: 'before', value: ({ before }) => before ?? '', cut: true },
  { heading: 'after', value: ({ after }) => after ?? '', cut: true },
  { heading: 'by', field: 'actor', value: ({ actor }) => actor, cut: true, dropAs: 2 },
  { heading: 'through', field: 'door', value: ({ door }) => door, dropAs: 1 },
  timeColumn('when', 'at'),
];

const list = pagedList('issues.history', 'history', 'change_id');

/** `backoffice issues history`. */
export function issueHistoryCommand(): Command {
  const command = new Command('history')
    .description('list the changes of an issue, newest first')
    .argument('<issue>', 'the number of the issue', wholeNumber(1))
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
      await showList(access, list, { ...options, id: String(id) } as ListOptions, columns);
    });
  });
}
