-- Up Migration

-- Each filter of a list has an index for each of its sorts: the rows of one value stand there in the order of the list, so
-- that a page costs the same wherever they are in the table, and however many there are (src/db/lists/filter-scans.ts).
-- A text that may be long is indexed by its beginning, because an index row has a limited size. Each index makes every
-- change of an issue dearer, so there is none by severity or category for the list that is sorted by severity.
create index issues_status_created_at_id_idx on issues (status, created_at, id);
create index issues_status_updated_at_id_idx on issues (status, updated_at, id);
create index issues_status_severity_rank_id_idx on issues (status, issue_severity_rank(severity), id);
create index issues_severity_created_at_id_idx on issues (left(severity, 100), created_at, id);
create index issues_severity_updated_at_id_idx on issues (left(severity, 100), updated_at, id);
create index issues_category_created_at_id_idx on issues (left(category, 100), created_at, id);
create index issues_category_updated_at_id_idx on issues (left(category, 100), updated_at, id);
create index issues_assignee_id_created_at_id_idx on issues (assignee_id, created_at, id);
create index issues_assignee_id_updated_at_id_idx on issues (assignee_id, updated_at, id);
create index issues_assignee_id_severity_rank_id_idx on issues (assignee_id, issue_severity_rank(severity), id);
drop index issues_assignee_id_idx;

create index conversations_status_updated_at_id_idx on conversations (left(status, 100), updated_at, id);
create index conversations_status_created_at_id_idx on conversations (left(status, 100), created_at, id);
create index conversations_assignee_id_updated_at_id_idx on conversations (assignee_id, updated_at, id);
create index conversations_assignee_id_created_at_id_idx on conversations (assignee_id, created_at, id);
drop index conversations_assignee_id_idx;

create index issue_links_issue_id_created_at_id_idx on issue_links (issue_id, created_at, id);
create index issue_links_conversation_id_created_at_id_idx on issue_links (conversation_id, created_at, id)
where conversation_id is not null;
create index issue_links_scraping_error_id_created_at_id_idx on issue_links (scraping_error_id, created_at, id)
where scraping_error_id is not null;
drop index issue_links_conversation_id_idx;
drop index issue_links_scraping_error_id_idx;

create index scraping_runs_source_started_at_run_id_idx on scraping_runs (left(source, 100), started_at, run_id);
create index scraping_runs_status_started_at_run_id_idx on scraping_runs (status, started_at, run_id);

create index audit_records_actor_name_created_at_id_idx on audit_records (left(actor_name, 100), created_at, id);
create index audit_records_door_created_at_id_idx on audit_records (left(door, 100), created_at, id);
create index audit_records_operation_created_at_id_idx on audit_records (left(operation, 100), created_at, id);
create index audit_records_event_created_at_id_idx on audit_records (left(event, 100), created_at, id);
create index audit_records_subject_id_created_at_id_idx on audit_records (subject_id, created_at, id);
drop index audit_records_subject_id_idx;

create index webhook_deliveries_status_created_at_id_idx on webhook_deliveries (status, created_at, id);
create index webhook_deliveries_webhook_id_created_at_id_idx on webhook_deliveries (webhook_id, created_at, id);
drop index webhook_deliveries_webhook_id_idx;

-- The index of trigrams knows no two letters by themselves, but all that have a third character before them. For other
-- words the expression matches everything.
create function search_pair(word text) returns text
language sql immutable strict parallel safe
return case
  when search_text(word) ~ '[[:alnum:]]{2}' and search_text(word) !~ '[[:alnum:]]{3}'
  then '(^|[\x01-\x7f])' || regexp_replace(search_text(word), '([^[:alnum:]])', '\\\1', 'g')
  else ''
end;

comment on function search_pair is
  'The regular expression of the texts that contain a word with two letters next to each other, both after search_text.';

-- The planner knows the values of an expression only once it is analyzed.
analyze issues, conversations, scraping_runs, audit_records;

-- Down Migration

drop function search_pair(text);

create index webhook_deliveries_webhook_id_idx on webhook_deliveries (webhook_id, created_at desc, id desc);
create index audit_records_subject_id_idx on audit_records (subject_id);
create index issue_links_scraping_error_id_idx on issue_links (scraping_error_id) where scraping_error_id is not null;
create index issue_links_conversation_id_idx on issue_links (conversation_id) where conversation_id is not null;
create index conversations_assignee_id_idx on conversations (assignee_id, updated_at desc, id desc)
where assignee_id is not null;
create index issues_assignee_id_idx on issues (assignee_id, created_at desc, id desc) where assignee_id is not null;

drop index webhook_deliveries_webhook_id_created_at_id_idx;
drop index webhook_deliveries_status_created_at_id_idx;
drop index audit_records_subject_id_created_at_id_idx;
drop index audit_records_event_created_at_id_idx;
drop index audit_records_operation_created_at_id_idx;
drop index audit_records_door_created_at_id_idx;
drop index audit_records_actor_name_created_at_id_idx;
drop index scraping_runs_status_started_at_run_id_idx;
drop index scraping_runs_source_started_at_run_id_idx;
drop index issue_links_scraping_error_id_created_at_id_idx;
drop index issue_links_conversation_id_created_at_id_idx;
drop index issue_links_issue_id_created_at_id_idx;
drop index conversations_assignee_id_created_at_id_idx;
drop index conversations_assignee_id_updated_at_id_idx;
drop index conversations_status_created_at_id_idx;
drop index conversations_status_updated_at_id_idx;
drop index issues_assignee_id_severity_rank_id_idx;
drop index issues_assignee_id_updated_at_id_idx;
drop index issues_assignee_id_created_at_id_idx;
drop index issues_category_updated_at_id_idx;
drop index issues_category_created_at_id_idx;
drop index issues_severity_updated_at_id_idx;
drop index issues_severity_created_at_id_idx;
drop index issues_status_severity_rank_id_idx;
drop index issues_status_updated_at_id_idx;
drop index issues_status_created_at_id_idx;
