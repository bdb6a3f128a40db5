import { z } from 'zod';
import type { PlainPool } from '../connection/plain-pool.ts';
import { adminColumns } from './admins.ts';

const adminPage = z.object({ admins: z.string(), total: z.int() });

const adminPageQuery = {
  name: 'admin_page',
  text: `
    select
      (select count(*)::integer from admins) as total,
      (
        select coalesce(json_agg(page), '[]')::text from (
          select ${adminColumns.sql} from admins
          order by admins.created_at, id
          offset $1::bigint limit $2::integer
        ) as page
      ) as admins
  `,
};

/**
 * Returns a page of admins as the text of a JSON array, oldest first, and the total (contract 4.8). Runs on plain `pg`,
 * like the query of each session, because slonik would about double its cost.
 */
export async function selectAdminPage(
  pool: PlainPool,
  offset: number,
  limit: number,
): Promise<z.infer<typeof adminPage>> {
  const { rows } = await pool.query({ ...adminPageQuery, values: [offset, limit] });
  return adminPage.parse(rows[0]);
}
