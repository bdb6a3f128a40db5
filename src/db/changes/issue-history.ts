import { sql } from 'slonik';
import type { IssueField } from '../../contract/schemas/issue-changes.ts';
import { historySorts } from '../../contract/sorts.ts';
import type { Database } from '../connection/pool.ts';
import { type Ordering, orderBy } from '../lists/list-order.ts';
import type { ListQuery } from '../lists/list-query.ts';
import { isoTimestamp } from '../timestamps.ts';
import type { Author } from './changes.ts';

/** Selects the history of an issue. */
export interface HistoryFilter extends Ordering<typeof historySorts, number> {
  /** Null matches none. */
  readonly id: number | null;
}

/** Lists what was changed of an issue, newest first. */
export function issueHistoryList(filter: HistoryFilter): ListQuery {
  const { id } = filter;
  return {
    columns: sql.fragment`
      h.change_id, h.field, h.before, h.after, change.actor_name as actor, change.door,
      ${isoTimestamp(sql.fragment`h.created_at`)} as at
    `,
    source: sql.fragment`from issue_history h join changes change on change.id = h.change_id`,
    tables: ['issue_history', 'changes'],
    conditions: [sql.fragment`h.issue_id = ${id}::bigint`],
    order: orderBy(historySorts, { at: sql.fragment`h.created_at` }, filter),
    id: sql.fragment`h.id`,
    maxTextBytes: sql.fragment`greatest(octet_length(h.before), octet_length(h.after), 0)`,
  };
}

export interface IssueEdit {
  readonly id: number | null;
  readonly field: IssueField;
  readonly before: string | null;
  readonly after: string | null;
}

/** Inserts a change of one field of one issue, in one statement. Call it while the issue is locked. */
export async function insertIssueEdit(
  tx: Database,
  author: Author,
  { id, field, before, after }: IssueEdit,
): Promise<void> {
  await tx.query(sql.unsafe`
    with change as (
      insert into changes (noun, actor_kind, actor_id, actor_name, door, count)
      values ('issues', ${author.kind}, ${author.id}, ${author.name}, ${author.door}, 1)
      returning id
    )
    insert into issue_history (change_id, issue_id, field, before, after)
    select change.id, ${id}::bigint, ${field}, ${before}, ${after} from change
  `);
}
