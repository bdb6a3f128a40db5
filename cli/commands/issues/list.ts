import { Command } from 'commander';
import { issueSorts } from '../../../src/contract/fields/sorts.ts';
import { issueStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import type { Rows } from '../../access/pages.ts';
import { withAccess } from '../../access/with-access.ts';
import { type FilterValues, withFilter } from '../../input/filter.ts';
import { severityOption, someWords } from '../../input/words.ts';
import { paintSeverity, paintStatus } from '../../output/colours.ts';
import { type ListOptions, pagedList, showList, withListOptions } from '../../output/list.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import {
  type AssigneeOptions,
  assigneeColumns,
  idOfAssignee,
  resolveAssignee,
  withAssignee,
} from '../admins/assignee.ts';
import { labelColumns } from '../labels/options.ts';
import { issueFilterOption, listOptionsOf } from './selection.ts';

const columns: readonly Column<Rows['issues.list']>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'title', value: ({ title }) => title, cut: true },
  {
    heading: 'severity',
    value: ({ severity }) => severity,
    paint: (text, { severity }) => paintSeverity(text, severity),
  },
  {
    heading: 'status',
    value: ({ status }) => status,
    paint: (text, { status }) => paintStatus(text, status),
  },
  { heading: 'category', value: ({ category }) => category, cut: true, dropAs: 2 },
  timeColumn('created', 'created_at', { dropAs: 1 }),
];

const list = pagedList('issues.list', 'issues');

interface IssueOptions extends ListOptions, AssigneeOptions {
  readonly filter?: FilterValues;
  readonly status?: string;
  readonly severity?: string;
  readonly category?: string;
}

/** `backoffice issues list`. */
export function listIssuesCommand(): Command {
  const command = withAssignee(
    new Command('list')
      .description('list issues, newest first')
      .addOption(someWords('--status <status>', 'only with this status, or several: a,b', issueStatuses))
      .addOption(severityOption('--severity <severity>', 'only with this severity, or several: a,b'))
      .option('--category <category>', 'only in this category')
      .addOption(issueFilterOption('only those that match')),
  ).addHelpText(
    'after',
    `
Examples:
  backoffice issues list --status Open --severity Critical --since 7d
  backoffice issues list --assignee ada@example.com --include assignee
  backoffice issues list --label billing,urgent --include labels
  backoffice issues list --search checkout --json id,title`,
  );
  withListOptions(command, { sorts: issueSorts, search: 'only if they contain these words, in any order' });
  withTable(command, list, {
    page: 'issues',
    takes: [
      ...['status', 'severity', 'category', 'assignee', 'label', 'since', 'until', 'sort'],
      ['search', 'q'],
    ],
    resolve: idOfAssignee,
    resolveFilter: (filter) => withAccess(command, (access) => listOptionsOf(access, filter)),
  });
  return runs(command, 'issues.list').action(async ({ filter, ...options }: IssueOptions) => {
    await withAccess(command, async (access) => {
      const filters = await resolveAssignee(access, withFilter(options, await listOptionsOf(access, filter)));
      await showList(access, list, filters, [
        ...columns,
        ...assigneeColumns(options),
        ...labelColumns(options),
      ]);
    });
  });
}
