import { Command } from 'commander';
import { conversationSorts } from '../../../src/contract/fields/sorts.ts';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import type { Rows } from '../../access/pages.ts';
import { withAccess } from '../../access/with-access.ts';
import { type FilterValues, withFilter } from '../../input/filter.ts';
import { someWords } from '../../input/words.ts';
import { paint, paintStatus } from '../../output/colours.ts';
import { type ListOptions, pagedList, showList, withListOptions } from '../../output/list.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import { type AssigneeOptions, assigneeColumns, resolveAssignee, withAssignee } from '../admins/assignee.ts';
import { labelColumns } from '../labels/options.ts';
import { conversationFilterOption } from './selection.ts';

const columns: readonly Column<Rows['conversations.list']>[] = [
  { heading: 'id', value: ({ id }) => id },
  {
    heading: 'new',
    field: 'unread_count',
    value: ({ unread_count }) => (unread_count === 0 ? '' : String(unread_count)),
    paint: (text) => paint(['bold', 'red'])(text),
    align: 'right',
  },
  { heading: 'visitor', field: 'visitor_name', value: ({ visitor_name }) => visitor_name, cut: true },
  {
    heading: 'email',
    field: 'visitor_email',
    value: ({ visitor_email }) => visitor_email,
    cut: true,
    dropAs: 3,
  },
  { heading: 'subject', value: ({ subject }) => subject, cut: true },
  { heading: 'last message', value: ({ last_message }) => last_message ?? '', cut: true, dropAs: 4 },
  {
    heading: 'status',
    value: ({ status }) => status,
    paint: (text, { status }) => paintStatus(text, status),
    dropAs: 1,
  },
  timeColumn('updated', 'updated_at', { dropAs: 2 }),
];

const list = pagedList('conversations.list', 'conversations');

interface ConversationOptions extends Omit<ListOptions, 'include'>, AssigneeOptions {
  readonly filter?: FilterValues;
  readonly status?: string;
  readonly unread?: true;
}

/** `backoffice conversations list`. */
export function listConversationsCommand(): Command {
  const command = withAssignee(
    new Command('list')
      .description('list conversations, most recently updated first')
      .addOption(
        someWords('--status <status>', 'only with this status, or several: a,b', conversationStatuses),
      )
      .option('--unread', 'only with unread messages')
      .addOption(conversationFilterOption('only those that match')),
  ).addHelpText(
    'after',
    `
Examples:
  backoffice conversations list --unread --since 2d
  backoffice conversations list --assignee none --status open`,
  );
  const texts = {
    sorts: conversationSorts,
    search: "only if the ID, the visitor's name or e-mail, the subject or a label contains these words",
    since: 'only updated at or after this time: 2026-01-31, yesterday, or 7d',
    until: 'only updated before this time',
  };
  withTable(withListOptions(command, texts), list, {
    page: 'conversations',
    takes: [...['status', 'unread', 'assignee', 'label'], ['search', 'q']],
  });
  return runs(command, 'conversations.list').action(
    async ({ unread, filter, ...options }: ConversationOptions) => {
      const wanted = withFilter({ ...options, unread: unread && 'true' }, filter) as ConversationOptions & {
        unread: string;
      };
      await withAccess(command, async (access) => {
        const filters = await resolveAssignee(access, wanted);
        await showList(access, list, filters, [
          ...columns,
          ...assigneeColumns(options),
          ...labelColumns(options),
        ]);
      });
    },
  );
}
