import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { withFormats } from '../../output/emit.ts';
import { type ListOptions, type Rows, showList } from '../../output/list.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { findIssue } from './find.ts';

const columns: readonly Column<Rows['issues.history']>[] = [
  { heading: 'change', value: ({ change_id }) => String(change_id), align: 'right' },
  { heading: 'field', value: ({ field }) => field },
  { heading: 'before', value: ({ before }) => before ?? '', cut: true },
  { heading: 'after', value: ({ after }) => after ?? '', cut: true },
  { heading: 'by', value: ({ actor }) => actor, cut: true, dropAs: 2 },
  { heading: 'through', value: ({ door }) => door, dropAs: 1 },
  { heading: 'when', value: ({ at }) => ago(at) },
];

/** `backoffice issues history`. */
export function issueHistoryCommand(): Command {
  const command = new Command('history')
    .description('list the changes of an issue, newest first')
    .argument('<issue>', 'the number of the issue', wholeNumber(1))
    .option('--limit <number>', 'maximum number; 0 for all', wholeNumber(0))
    .addHelpText('after', '\nExample:\n  backoffice issues history 42');
  return runs(withFormats(command, 'json and csv'), 'issues.history').action(
    async (id: number, options: ListOptions) => {
      await withAccess(command, async (access) => {
        await findIssue(access, id);
        await showList(access, 'issues.history', { ...options, id: String(id) } as ListOptions, columns);
      });
    },
  );
}
