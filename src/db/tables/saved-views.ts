import { sql } from 'slonik';
import { z } from 'zod';
import type { SavedView } from '../../contract/operations/views.ts';
import type { Database } from '../connection/database.ts';
import { affectedRows, affectsRow } from './statements.ts';
import type { Person } from './visitors/person.ts';
import { isMentionedIn, viewTexts } from './visitors/written-texts.ts';

/** The account whose views they are; null for callers without one. */
type Owner = string | null;

const viewRow = z.object({
  list: z.string(),
  name: z.string(),
  filter: z.string(),
  sort: z.string().nullable(),
  columns: z.array(z.string()).nullable(),
  is_first: z.boolean(),
});

/** Lists the views of an owner, by list and name. */
export async function selectViews(db: Database, owner: Owner, list?: string): Promise<readonly SavedView[]> {
  const rows = await db.any(sql.type(viewRow)`
    select list, name, filter, sort, columns, is_first from saved_views
    where admin_id is not distinct from ${owner} and list = coalesce(${list ?? null}, list)
    order by list, lower(name), name
  `);
  return rows.map(({ filter, ...row }) => ({ ...row, filter: JSON.parse(filter) as SavedView['filter'] }));
}

/** Makes other changes of the views of an owner wait until the transaction ends. */
export async function lockViews(tx: Database, owner: Owner): Promise<void> {
  await tx.query(sql.unsafe`
    select pg_advisory_xact_lock(hashtext('backoffice'), hashtext(${`views of ${owner ?? 'operators'}`}))
  `);
}

/** Stores a view, instead of the one that it was before. Views must be locked. */
export async function storeView(
  tx: Database,
  owner: Owner,
  { list, name, filter, sort, columns, is_first }: SavedView,
  before: string | undefined,
): Promise<void> {
  const ofList = sql.fragment`admin_id is not distinct from ${owner} and list = ${list}`;
  if (is_first)
    await tx.query(sql.unsafe`update saved_views set is_first = false where ${ofList} and is_first`);
  const stored = sql.fragment`
    ${owner}, ${list}, ${name}, ${JSON.stringify(filter)}, ${sort},
    ${columns === null ? null : sql.array([...columns], 'text')}, ${is_first}
  `;
  const fields = sql.fragment`(admin_id, list, name, filter, sort, columns, is_first)`;
  await tx.query(
    before === undefined
      ? sql.unsafe`insert into saved_views ${fields} values (${stored})`
      : sql.unsafe`update saved_views set ${fields} = (${stored}) where ${ofList} and name = ${before}`,
  );
}

/** Deletes a view. Reports whether there was one. */
export async function deleteView(tx: Database, owner: Owner, list: string, name: string): Promise<boolean> {
  return await affectsRow(tx)`
    delete from saved_views where admin_id is not distinct from ${owner} and list = ${list} and name = ${name}
  `;
}

/** Deletes the views that name a person. Returns how many. */
export async function deleteViewsNaming(tx: Database, person: Person): Promise<number> {
  return await affectedRows(tx)`delete from saved_views where ${isMentionedIn(person, viewTexts)}`;
}
