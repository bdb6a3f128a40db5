import { Command } from 'commander';
import { adminSorts } from '../../../src/contract/sorts.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { sortOption } from '../../input/words.ts';
import { emit, emitTable, type Format, listIn, withFormats } from '../../output/emit.ts';
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

interface AdminOptions extends Format {
  readonly page: number;
  readonly limit: number;
  readonly search?: string;
  readonly sort?: string;
}

/** `backoffice admins list`. */
export function listAdminsCommand(): Command {
  const command = new Command('list')
    .description('list admins, oldest first, one page at a time')
    .option('--page <number>', 'the page to show', wholeNumber(1), 1)
    .option('--search <words>', 'only if the ID, e-mail, username or role contains these words')
    .option('--limit <number>', 'admins per page, at most 100', wholeNumber(1), 30)
    .addOption(sortOption(adminSorts));
  return runs(withFormats(command, 'json and csv'), 'admins.list').action(
    async ({ page, limit, sort, search: q, ...format }: AdminOptions) => {
      const document = await withAccess(command, (access) =>
        access.call('admins.list', { page, limit, sort, q }),
      );
      await emit(document, format, listIn('admins.list', 'admins'), async () => {
        const { total, totalPages } = document.pagination;
        if (total === 0) return remark('No admins match.');
        if (document.admins.length === 0) return remark(`No page ${page}. The last page is ${totalPages}.`);
        await emitTable(columns, document.admins);
        if (page < totalPages)
          remark(
            `Showing page ${page} of ${totalPages} (${total} admins). Use --page ${page + 1} to show the next.`,
          );
      });
    },
  );
}
