-- Up Migration

-- Functions that run as their owner are for the triggers of our tables, and a trigger that fires asks nobody for
-- EXECUTE. Whoever may hang one on a temporary table of their own has it run on values, types and casts of their
-- making, as the owner: so nobody else may.
revoke execute on function
  fold_issue_count_deltas(), issues_append_count_deltas(), issues_clear_counts(), rebuild_issue_counters(),
  conversation_messages_after_insert(), end_sessions_of_changed_admin(), remove_links_of_gone_issues(),
  remove_links_of_gone_scraping_errors(), fold_token_usage_deltas(), token_usage_append_deltas(),
  token_usage_clear_sums(), rebuild_token_usage_sums()
from public;

-- Otherwise the settings that say how long the trail is kept could be those of a temporary table.
alter function audit_retention_starts_at() set search_path = public, pg_temp;
alter function audit_records_are_kept() set search_path = public, pg_temp;

-- Down Migration

alter function audit_records_are_kept() reset search_path;
alter function audit_retention_starts_at() reset search_path;
grant execute on function
  fold_issue_count_deltas(), issues_append_count_deltas(), issues_clear_counts(), rebuild_issue_counters(),
  conversation_messages_after_insert(), end_sessions_of_changed_admin(), remove_links_of_gone_issues(),
  remove_links_of_gone_scraping_errors(), fold_token_usage_deltas(), token_usage_append_deltas(),
  token_usage_clear_sums(), rebuild_token_usage_sums()
to public;
