-- What the states of mails to visitors need besides their table: a version for the threads that show them, and an index
-- of the few that wait.

comment on column message_deliveries.error is
  'Why it failed or came back, or why the latest attempt of one in the queue failed: a sentence for people; null otherwise.';
comment on column message_deliveries.changed_at is 'When it got its state.';

create index message_deliveries_queued_idx on message_deliveries (changed_at) where state = 'queued';

create trigger message_deliveries_version_inserts after insert on message_deliveries
referencing new table as changed for each statement execute function change_table_version();
create trigger message_deliveries_version_updates after update on message_deliveries
referencing new table as changed for each statement execute function change_table_version();
create trigger message_deliveries_version_deletes after delete on message_deliveries
referencing old table as changed for each statement execute function change_table_version();
create trigger message_deliveries_version_truncate after truncate on message_deliveries
for each statement execute function change_table_version();

-- Always: as in migrations/0013_table_versions.sql.
alter table message_deliveries enable always trigger message_deliveries_version_inserts;
alter table message_deliveries enable always trigger message_deliveries_version_updates;
alter table message_deliveries enable always trigger message_deliveries_version_deletes;
alter table message_deliveries enable always trigger message_deliveries_version_truncate;
