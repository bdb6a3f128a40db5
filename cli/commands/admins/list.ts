import { Command } from 'commander';
import { adminSorts } from '../../../src/contract/fields/sorts.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { sortOption } from '../../input/words.ts';
import { emitList } from '../../output/emit.ts';
import { defaultRows, type Format } from '../../output/formats.ts';
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

const defaultLimit = 30;
const maxLimit = 100;

interface AdminOptions extends Format {
  readonly page?: number;
  /** 0 for all. */
  readonly limit?: number;
  readonly search?: string;
  readonly sort?: string;
}

/** `backoffice admins list`. */
export function listAdminsCommand(): Command {
  const command = new Command('list')
    .description('list admins, oldest first')
    .option('--page <number>', 'the page to show', wholeNumber(1))
    .option('--search <words>', 'only if the ID, e-mail, username or role contains these words')
    .option('--limit <number>', `admins per page, at most ${maxLimit}; 0 for all`, wholeNumber(0))
    .addOption(sortOption(adminSorts));
  withTable(command, list, { page: 'admins', takes: [...['page', 'sort'], ['search', 'q']] });
  return runs(command, 'admins.list').action(
    async ({ page: asked, limit: given, sort, search: q, ...format }: AdminOptions) => {
      const page = asked ?? 1;
      const limit = given ?? (asked === undefined ? defaultRows(format, defaultLimit) : defaultLimit);
      const document = await withAccess(command, (access) =>
        limit === 0 ? readAll(access, { sort, q }) : access.call('admins.list', { page, limit, sort, q }),
      );
      const { total, totalPages } = document.pagination;
      await emitList(document, format, list, columns, {
        none: total === 0 ? 'No admins match.' : `No page ${page}. The last page is ${totalPages}.`,
        after() {
          if (page < totalPages)
            remark(
              `Showing page ${page} of ${totalPages} (${total} admins). Use --page ${page + 1} to show the next, or --limit 0 to show all.`,
            );
        },
      });
    },
  );
}

async function readAll(
  access: Access,
  filter: Pick<InputOf<'admins.list'>, 'sort' | 'q'>,
): Promise<OutputOf<'admins.list'>> {
  const all: ListedAdmin[] = [];
  for (let page = 1; ; page++) {
    const { admins, pagination } = await access.call('admins.list', { ...filter, page, limit: maxLimit });
    all.push(...admins);
    const { total, totalPages } = pagination;
    if (page >= totalPages)
      return {
        admins: all,
        pagination: { page: 1, limit: total, total, totalPages: Math.min(totalPages, 1) },
      };
  }
}
