import { type QuerySqlToken, sql } from 'slonik';

/**
 * Counts issues from the counters, without reading an issue.
 *
 * @param dimension - the column that the values are of
 * @param values - counts only issues with one of these; undefined counts all
 */
export function issueTotal(
  dimension: 'severity' | 'status' | 'category',
  values?: readonly string[],
): QuerySqlToken {
  const wanted = values === undefined ? sql.fragment`true` : sql.array([...values], 'text');
  const counted =
    values &&
    sql.fragment`key_digest = any(array(select text_digest(value) from unnest(${wanted}) as value))`;
  const changed = values && sql.fragment`${sql.identifier([dimension])} = any(${wanted})`;
  return sql.unsafe`
    select coalesce(sum(count), 0)::bigint as total
    from (
      select count from issue_totals where dimension = ${dimension} and ${counted ?? sql.fragment`true`}
      union all
      select change from issue_count_deltas where hour_starts_at >= '-infinity' and ${changed ?? sql.fragment`true`}
    ) as part
  `;
}
