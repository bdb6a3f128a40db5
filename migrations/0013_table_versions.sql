-- The version of a table is a number that is another one after each statement that changes the table, so a client can be
-- told that a list is still the same without reading it. It is the exclusive or of a random number for each committed
-- statement: a fingerprint of the set of those statements, which a number that only grows would not be, because
-- transactions commit in another order than they write. A backup that is restored has the versions of its own data, and
-- so has a replica.
--
-- As for the counters of issues, a writer only appends a row, which nobody waits for, and now and then one folds the rows
-- into the versions.
create table table_versions (
  table_name text primary key,
  version bigint not null
);

comment on table table_versions is 'The version of each table that lists show, without table_version_changes.';

create table table_version_changes (
  table_name text not null,
  change bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table table_version_changes is
  'A random number for each statement that changed a table, not yet folded into table_versions. Vacuumed early.';

-- One at a time, and only where the snapshot is newer than the lock: see fold_issue_count_deltas.
create function fold_table_versions() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock('table_version_changes'::regclass::oid::bigint)
  then
    return;
  end if;
  with folded as (
    delete from table_version_changes returning table_name, change
  )
  insert into table_versions (table_name, version)
  select table_name, bit_xor(change) from folded group by table_name
  on conflict (table_name) do update set version = table_versions.version # excluded.version;
end
$$;

comment on function fold_table_versions is
  'Moves the changes into the versions; does nothing while another transaction does it.';

-- Not random(), which a session can seed: the same number twice would undo the first.
create function change_table_version() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if tg_op <> 'TRUNCATE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into table_version_changes (table_name, change)
  values (tg_table_name, hashtextextended(gen_random_uuid()::text, 0));
  if random() * 64 < 1 then
    perform fold_table_versions();
  end if;
  return null;
end
$$;

comment on function change_table_version is 'Statement trigger: gives the table another version if the statement changed a row.';

revoke execute on function fold_table_versions(), change_table_version() from public;

-- Always: also while session_replication_role is replica, as in some imports.
do $$
declare
  listed name;
begin
  foreach listed in array array[
    'issues', 'conversations', 'conversation_messages', 'issue_links', 'admins', 'audit_records', 'webhook_deliveries',
    'scraping_runs', 'scraping_errors', 'comments', 'changes', 'issue_history'
  ] loop
    execute format(
      $sql$
        create trigger %1$I after insert on %5$I referencing new table as changed
        for each statement execute function change_table_version();
        create trigger %2$I after update on %5$I referencing new table as changed
        for each statement execute function change_table_version();
        create trigger %3$I after delete on %5$I referencing old table as changed
        for each statement execute function change_table_version();
        create trigger %4$I after truncate on %5$I
        for each statement execute function change_table_version();
        alter table %5$I enable always trigger %1$I;
        alter table %5$I enable always trigger %2$I;
        alter table %5$I enable always trigger %3$I;
        alter table %5$I enable always trigger %4$I;
      $sql$,
      listed || '_version_inserts', listed || '_version_updates', listed || '_version_deletes',
      listed || '_version_truncate', listed
    );
  end loop;
end
$$;
