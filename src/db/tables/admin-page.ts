import { z } from 'zod';
import { type adminSorts, type SortOf, sortField } from '../../contract/sorts.ts';
import type { PlainPool } from '../connection/plain-pool.ts';
import { adminColumns } from './admins.ts';

const adminPage = z.object({ admins: z.string(), total: z.int() });

type AdminSort = SortOf<typeof adminSorts>;

/** Texts are in the order of their code points, which is the same in every database, and names without regard to case. */
const columns: Readonly<Record<keyof typeof adminSorts, string>> = {
  created_at: 'admins.created_at',
  email: 'email collate "C"',
  username: 'lower(username) collate "C"',
};

function adminPageQuery(sort: AdminSort): { name: string; text: string } {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const column = columns[sortField(sort) as keyof typeof adminSorts];
  return {
    name: `admin_page ${sort}`,
    text: `
      select
        (select count(*)::integer from admins) as total,
        (
          select coalesce(json_agg(page), '[]')::text from (
            select ${adminColumns.sql} from admins
            order by ${column} ${direction}, id ${direction}
            offset $1::bigint limit $2::integer
          ) as page
        ) as admins
    `,
  };
}

interface AdminPage {
  readonly sort: AdminSort;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Returns a page of admins as the text of a JSON array and the total (contract 4.8). Runs on plain `pg`, like the query
 * of each session, because slonik would about double its cost.
 */
export async function selectAdminPage(
  pool: PlainPool,
  { sort, offset, limit }: AdminPage,
): Promise<z.infer<typeof adminPage>> {
  const { rows } = await pool.query({ ...adminPageQuery(sort), values: [offset, limit] });
  return adminPage.parse(rows[0]);
}
