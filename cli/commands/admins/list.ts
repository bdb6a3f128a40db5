import { Command } from 'commander';
import { adminSorts } from '../../../src/contract/fields/sorts.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { sortOption } from '../../input/words.ts';
import { emitList } from '../../output/emit.ts';
import type { Format } from '../../output/formats.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import { listIn } from '../../output/rows/list-of.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import { remark } from '../../terminal.ts';
import type { ListedAdmin } from './find.ts';

const columns: readonly Column<ListedAdmin>[] = [
  { heading: 'email', value: ({ email }) => email, cut: true },
  { heading: 'username', value: ({ username }) => username, cut: true, dropAs: 2 },
  { heading: 'role', value: ({ role }) => role },
  { heading: 'active', field: 'is_active', value: ({ is_active }) => (is_active === 1 ? 'yes' : 'no') },
  timeColumn('created', 'created_at', { dropAs: 1 }),
  { heading: 'id', value: ({ id }) => id, dropAs: 3 },
];

const list = listIn('admins.list', 'admins', 'email');

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
  withTable(command, list, { page: 'admins', takes: [...['page', 'sort'], ['search', 'q']] });
  return runs(command, 'admins.list').action(
    async ({ page, limit, sort, search: q, ...format }: AdminOptions) => {
      const document = await withAccess(command, (access) =>
        access.call('admins.list', { page, limit, sort, q }),
      );
      const { total, totalPages } = document.pagination;
      await emitList(document, format, list, columns, {
        none: total === 0 ? 'No admins match.' : `No page ${page}. The last page is ${totalPages}.`,
        after() {
          if (page < totalPages)
            remark(
              `Showing page ${page} of ${totalPages} (${total} admins). Use --page ${page + 1} to show the next.`,
            );
        },
      });
    },
  );
}
