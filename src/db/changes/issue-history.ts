import { sql } from 'slonik';
import { historySorts } from '../../contract/sorts.ts';
import { type ListQuery, type Ordering, orderBy, plainColumns } from '../lists/list-query.ts';

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
