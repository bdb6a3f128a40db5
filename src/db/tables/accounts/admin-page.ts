import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { adminSorts } from '../../../contract/fields/sorts.ts';
import { type Role, type SortOf, sortField } from '../../../contract/vocabulary.ts';
import type { Database } from '../../connection/database.ts';
import { searchShort } from '../../lists/search.ts';
import { type VersionedTable, versionOf } from '../../lists/table-versions.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { adminColumns } from './admins.ts';

const adminPage = z.object({ version: z.string(), admins: z.string(), total: z.int() });

/** The tables that a page is read from. */
export const adminPageTables: readonly VersionedTable[] = ['admins'];

type AdminSort = SortOf<typeof adminSorts>;

/** Texts are in the order of their code points, which is the same in every database, and names without regard to case. */
const columns: Readonly<Record<keyof typeof adminSorts, FragmentSqlToken>> = {
  created_at: sql.fragment`admins.created_at`,
  email: sql.fragment`email collate "C"`,
  username: sql.fragment`lower(username) collate "C"`,
};

function orderOf(sort: AdminSort): FragmentSqlToken {
  const direction = sort.startsWith('-') ? sql.fragment`desc` : sql.fragment`asc`;
  const column = columns[sortField(sort) as keyof typeof adminSorts];
  return sql.fragment`order by ${column} ${direction}, id ${direction}`;
}

interface AdminPage {
  readonly sort: AdminSort;
  readonly offset: number;
  readonly limit: number;
}

/** Returns a page of admins as the text of a JSON array and the total (contract 4.8). */
export async function selectAdminPage(db: Database, { sort, offset, limit }: AdminPage) {
  return await db.one(sql.type(adminPage)`
    select
      ${versionOf(adminPageTables)} as version,
      (select count(*)::integer from admins) as total,
      (
        select coalesce(json_agg(page), '[]')::text from (
          select ${adminColumns} from admins
          ${orderOf(sort)}
          offset ${offset}::bigint limit ${limit}::integer
        ) as page
      ) as admins
  `);
}

interface AdminFilter {
  readonly q?: string | undefined;
  readonly role?: readonly Role[] | undefined;
  readonly is_active?: '0' | '1' | undefined;
  /** Whether to add what is known of the sign-ins of each admin. */
  readonly withSignIn: boolean;
}

/** Sign-ins of the last 90 days are remembered. */
const signInColumn = sql.fragment`, json_build_object(
  'last_at', (select ${isoTimestamp(sql.fragment`max(last_used_at)`)} from sign_in_networks where admin_id = admins.id),
  'factors', (
    select count(*)::integer from admin_factors where admin_id = admins.id and verified_at is not null
  )
) as sign_in`;

/** Returns a page of the admins that match a search and filters, and how many match. */
export async function findAdminPage(
  db: Database,
  { sort, offset, limit, q, role, is_active, withSignIn }: AdminPage & AdminFilter,
): Promise<z.infer<typeof adminPage>> {
  const search = searchShort(q, [
    sql.fragment`id`,
    sql.fragment`email`,
    sql.fragment`username`,
    sql.fragment`role`,
  ]);
  const conditions = [
    search?.condition ?? sql.fragment`true`,
    role === undefined ? sql.fragment`true` : sql.fragment`role = any(${sql.array([...role], 'text')})`,
    is_active === undefined ? sql.fragment`true` : sql.fragment`is_active = ${Number(is_active)}`,
  ];
  return await db.one(sql.type(adminPage)`
    with found as materialized (select id from admins where ${sql.and(conditions)})
    select
      ${versionOf(adminPageTables)} as version,
      (select count(*)::integer from found) as total,
      (
        select coalesce(json_agg(page), '[]')::text from (
          select ${adminColumns} ${withSignIn ? signInColumn : sql.fragment``} from admins
          where id in (select id from found)
          ${orderOf(sort)}
          offset ${offset}::bigint limit ${limit}
        ) as page
      ) as admins
  `);
}
