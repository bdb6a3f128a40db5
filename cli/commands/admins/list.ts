import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { remark } from '../../terminal.ts';
import type { ListedAdmin } from './find.ts';

const columns: readonly Column<ListedAdmin>[] = [
  { heading: 'email', value: ({ email }) => email, cut: true },
  { heading: 'username', value: ({ username }) => username, cut: true, dropAs: 2 },
  { heading: 'role', value: ({ role }) => role },
  { heading: 'active', value: ({ is_active }) => (is_active === 1 ? 'yes' : 'no') },
  { heading: 'created', value: ({ created_at }) => ago(created_at), dropAs: 1 },
  { heading: 'id', value: ({ id }) => id, dropAs: 3 },
];

/** `backoffice admins list`. */
export function listAdminsCommand(): Command {
  const command = new Command('list')
    .description('list admins, the oldest first, a page at a time')
    .option('--page <number>', 'which page', wholeNumber(1), 1)
    .option('--limit <number>', 'how many on a page, 100 at most', wholeNumber(1), 30);
  return runs(withFormats(command, 'json and csv'), 'admins.list').action(
    async ({ page, limit, ...format }: Format & { page: number; limit: number }) => {
      const document = await withAccess(command, (access) => access.call('admins.list', { page, limit }));
      await emit(document, format, 'admins', async () => {
        const { total, totalPages } = document.pagination;
        if (document.admins.length === 0) return remark(`There is no page ${page}: there are ${totalPages}.`);
        await emitTable(columns, document.admins);
        if (page < totalPages)
          remark(`Page ${page} of ${totalPages}, ${total} admins: --page ${page + 1} shows more.`);
      });
    },
  );
}
