import { type FragmentSqlToken, sql } from 'slonik';
import type { IssueField } from '../../contract/schemas/changes/issue-changes.ts';
import { historySorts } from '../../contract/sorts.ts';
import { plainColumns } from '../lists/list-columns.ts';
import { type Ordering, orderBy } from '../lists/list-order.ts';
import type { ListQuery } from '../lists/list-query.ts';
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
    columns: {
      ...plainColumns(['change_id', 'field', 'before', 'after'], 'h'),
      actor: sql.fragment`change.actor_name`,
      door: sql.fragment`change.door`,
      at: { time: sql.fragment`h.created_at` },
    },
    source: sql.fragment`from issue_history h join changes change on change.id = h.change_id`,
    tables: ['issue_history', 'changes'],
    conditions: [sql.fragment`h.issue_id = ${id}::bigint`],
    order: orderBy(historySorts, { at: sql.fragment`h.created_at` }, filter),
    id: sql.fragment`h.id`,
    maxTextBytes: sql.fragment`greatest(octet_length(h.before), octet_length(h.after), 0)`,
  };
}

/**
 * Returns the expressions of a statement that write one changed field of an issue to its history. They read the `id` and
 * the value `before` of the expression `changed`, which has locked the issue.
 */
export function issueEdit(
  author: Author,
  { field, after }: { readonly field: IssueField; readonly after: string | null },
): FragmentSqlToken {
  return sql.fragment`
    edit as (
      insert into changes (noun, actor_kind, actor_id, actor_name, door, count)
      select 'issues', ${author.kind}, ${author.id}, ${author.name}, ${author.door}, 1 from changed
      returning id
    ), edited_field as (
      insert into issue_history (change_id, issue_id, field, before, after)
      select edit.id, changed.id, ${field}, changed.before, ${after} from edit, changed
    )
  `;
}
