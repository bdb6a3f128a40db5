-- The audit trail: who did what. Its records are chained, so that nobody can change or remove one unseen.

create table audit_records (
  id bigint primary key,
  created_at timestamptz(3) not null default clock_timestamp(),
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  door text not null,
  address text not null default '',
  operation text not null,
  event text not null,
  subject_id text,
  before jsonb,
  after jsonb,
  digest bytea,
  chain bytea,
  redacted_at timestamptz(3)
);

comment on table audit_records is
  'Who did what, when and from where. Append-only: see audit_records_are_kept. Only the owner may add records: see publish_changes.';
comment on column audit_records.id is 'That of the event of the same change.';
comment on column audit_records.actor_kind is 'admin, token, operator (whoever may run commands on the machine), service or nobody.';
comment on column audit_records.door is 'http, cli, tui or job.';
comment on column audit_records.before is 'Null where it is new; never a secret or a setting''s value.';
comment on column audit_records.after is 'Null where it is gone.';
comment on column audit_records.digest is 'audit_digest of the record as it was written; null if it is older than the chain.';
comment on column audit_records.chain is
  'SHA-256 of the chain of the record before, by id, and the digest of this one: it proves all records up to here.';
comment on column audit_records.redacted_at is 'When before and after were erased. The digest stays that of the record as it was.';

-- The order of the list, whole and of one value of each filter, which is also the history of one thing. Publication pays
-- for each further index.
create index audit_records_created_at_id_idx on audit_records (created_at desc, id desc);
create index audit_records_actor_name_created_at_id_idx on audit_records (left(actor_name, 100), created_at, id);
create index audit_records_door_created_at_id_idx on audit_records (left(door, 100), created_at, id);
create index audit_records_operation_created_at_id_idx on audit_records (left(operation, 100), created_at, id);
create index audit_records_event_created_at_id_idx on audit_records (left(event, 100), created_at, id);
create index audit_records_subject_id_created_at_id_idx on audit_records (subject_id, created_at, id);

-- As everywhere, at most 100,000 characters are searched. So no value is too long for the index, which holds sequences of
-- three letters, and none can keep publish_changes from publishing.
create function audit_search_text(
  actor_name text, operation text, event text, subject_id text, before jsonb, after jsonb
) returns text
language plpgsql immutable parallel safe
as $$
begin
  return public.search_text(concat_ws(E'\n', actor_name, operation, event, subject_id, before::text, after::text));
end
$$;

comment on function audit_search_text is
  'The text that searches find an audit record by: the first 100,000 characters of its actor, operation, event, subject and values.';

create table audit_anchors (
  name text primary key check (name in ('start', 'purged')),
  id bigint not null,
  chain bytea not null,
  created_at timestamptz(3) not null default now()
);

comment on table audit_anchors is 'Where the chain of audit_records starts, and the last record that the retention has deleted.';
comment on column audit_anchors.id is 'Of a record. The next one is the first that follows the chain here.';

-- Random, so that the chains of two installations differ from their first record on.
insert into audit_anchors (name, id, chain)
select name, 0, start
from unnest(array['start', 'purged']) as name, (select sha256(uuid_send(gen_random_uuid())) as start) as random;

-- As JSON, in which no two records have the same text: null is not 'null', and the values end where they end.
create function audit_digest(
  id bigint, created_at timestamptz, actor_kind text, actor_id text, actor_name text, door text, address text,
  operation text, event text, subject_id text, before jsonb, after jsonb
) returns bytea
language sql stable parallel safe
as $$
  select sha256(convert_to(
    json_build_array(
      id, extract(epoch from created_at), actor_kind, actor_id, actor_name, door, address, operation, event, subject_id,
      before, after
    )::text,
    'UTF8'
  ))
$$;

comment on function audit_digest is 'SHA-256 of the content of an audit record.';

create function audit_chain_next(chain bytea, digest bytea, first bytea) returns bytea
language plpgsql immutable parallel safe
as $$
begin
  return sha256(coalesce(chain, first) || digest);
end
$$;

comment on function audit_chain_next is 'The chain of a record: of the chain before it, or for the first of several, of first.';

create aggregate audit_chain(digest bytea, first bytea) (sfunc = audit_chain_next, stype = bytea);

comment on aggregate audit_chain(bytea, bytea) is 'The chains of consecutive records, as a window function in the order of their ids.';

-- One at a time, and each statement of a transaction that is READ COMMITTED sees what was committed before it. So the ids
-- are in the order in which they can be read: a reader that has read up to an id has missed none below it.
--
-- The rows of a transaction stay together, in the place of its last one: a transaction that changed the same thing
-- before has committed before that, and one that changes it afterwards has a higher id.
--
-- Of a long backlog it sorts only the beginning, else its time would grow with the backlog until it is never in time.
--
-- Without scans, the estimated cost of what the triggers of events do is so high that Postgres would compile it each time,
-- which takes longer than all else. The statements are the same for each batch, so one plan serves all batches; to plan
-- them again for each costs as much as to move ten changes.
--
-- It looks only at transactions that the caller's last snapshot didn't see. So its cost doesn't grow with the rows that
-- were moved and can't be vacuumed, because a backup or an old transaction holds them.
--
-- It chains the records, because they get their ids here: a writer would have to wait for the writer before it. The newest
-- record has the end of the chain. A row with the end of the chain would have a dead version for each batch, all of which
-- each batch reads while a backup holds them.
--
-- It runs as its owner, so that nobody else needs to write to the audit trail.
create function publish_changes(
  known pg_snapshot default null, max_rows bigint default 5000, max_bytes bigint default 8388608,
  max_sorted bigint default 40000,
  out published bigint, out is_complete boolean, out snapshot pg_snapshot
)
language plpgsql security definer
set search_path = public, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
set plan_cache_mode = force_generic_plan
as $$
declare
  first_unknown xid8;
  unknown xid8[];
  has_rows boolean;
  last_considered bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'publish_changes needs a transaction that is READ COMMITTED'
      using errcode = 'invalid_transaction_state';
  end if;
  -- A snapshot from the future is that of another server, which this one has replaced.
  if pg_snapshot_xmax(known) > pg_snapshot_xmax(pg_current_snapshot()) then
    known := null;
  end if;
  first_unknown := coalesce(pg_snapshot_xmax(known), '0');
  unknown := array(select pg_snapshot_xip(known));

  select
    exists (select from recorded_changes where transaction_id >= first_unknown)
      or exists (select from recorded_changes where transaction_id = any (unknown)),
    0, true, pg_current_snapshot()
  into has_rows, published, is_complete, snapshot;
  if not has_rows then
    return;
  end if;

  -- The lock of the former record_changes, which instances of an older version may still hold.
  perform pg_advisory_xact_lock(hashtext('backoffice'), hashtext('events'));
  -- What was read stays, also after a crash or a failover.
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;

  select id into last_considered
  from (
    select id from recorded_changes where transaction_id >= first_unknown
    union all
    select id from recorded_changes where transaction_id = any (unknown)
  ) as visible
  order by id
  offset max_sorted
  limit 1;

  loop
    with visible as (
      select ctid as place, transaction_id, id, before, after from recorded_changes
      where transaction_id >= first_unknown and id <= coalesce(last_considered, id)
      union all
      select ctid, transaction_id, id, before, after from recorded_changes
      where transaction_id = any (unknown) and id <= coalesce(last_considered, id)
    ), pending as (
      select place, id, coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0) as bytes,
        max(id) over (partition by transaction_id) as last_id
      from visible
      where last_considered is null or not exists (
        select from recorded_changes as later
        where later.transaction_id = visible.transaction_id and later.id > last_considered
      )
    ), counted as materialized (
      select place, id = last_id as is_last, row_number() over in_order as row, sum(bytes) over in_order as bytes
      from pending
      window in_order as (order by last_id, id)
    ), batch as (
      -- Whole transactions. Only one that is too large by itself is cut.
      select count(*) as pending, last_considered is null as is_rest, coalesce(
        max(row) filter (where is_last and row <= max_rows and bytes <= max_bytes),
        least(min(row) filter (where is_last), 4 * max_rows)
      ) as rows
      from counted
    ), moved as (
      delete from recorded_changes
      where ctid = any (array(select place from counted where row <= (select rows from batch)))
      returning *
    ), change as materialized (
      select nextval('events_id_seq') as event_id, ordered.*
      from (
        select *, nullif(before, 'null') as old, nullif(after, 'null') as new
        from moved
        order by max(id) over (partition by transaction_id), id
      ) as ordered
    ), new_event as (
      insert into events (id, type, subject_id, actor, created_at, data)
      select event_id, event, subject_id, origin ->> 'name', created_at, coalesce(new, old, '{}')
      from change
    ), record as (
      select event_id as id, created_at::timestamptz(3) as created_at, origin ->> 'kind' as actor_kind,
        origin ->> 'id' as actor_id, origin ->> 'name' as actor_name, origin ->> 'door' as door,
        coalesce(origin ->> 'address', '') as address, operation, event, subject_id, old as before, new as after
      from change
    ), digested as materialized (
      select *,
        audit_digest(
          id, created_at, actor_kind, actor_id, actor_name, door, address, operation, event, subject_id, before, after
        ) as digest
      from record
    ), new_record as (
      insert into audit_records (
        id, created_at, actor_kind, actor_id, actor_name, door, address, operation, event, subject_id, before, after,
        digest, chain
      )
      select id, created_at, actor_kind, actor_id, actor_name, door, address, operation, event, subject_id, before, after,
        digest, audit_chain(digest, last_chain) over (order by id rows unbounded preceding)
      from digested, (
        select coalesce(
          (select chain from audit_records where chain is not null order by id desc limit 1),
          (select chain from audit_anchors where name = 'purged')
        ) as last_chain
      ) as last
    )
    select (select count(*) from change), is_rest and pending <= rows,
      case when is_rest and pending <= rows then pg_current_snapshot() else known end
    into published, is_complete, snapshot
    from batch;
    -- Only one transaction that is longer than that can leave nothing to move.
    exit when published > 0 or last_considered is null;
    last_considered := null;
  end loop;
end
$$;

comment on function publish_changes is
  'Moves committed rows of recorded_changes to events and audit_records. Pass the snapshot of the last call, which finds all of them.';

-- The setting is the operators' own; the floor of 30 days keeps a slip from wiping the trail. The search path is fixed:
-- otherwise the settings that say how long the trail is kept could be those of a temporary table.
create function audit_retention_starts_at() returns timestamptz
language sql stable
set search_path = public, pg_temp
as $$
  select coalesce(
    (
      select now() - make_interval(days => greatest(setting_value::integer, 30))
      from settings
      where setting_key = 'audit_retention_days' and setting_value ~ '^[1-9]\d{0,4}$'
    ),
    '-infinity'
  )
$$;

comment on function audit_retention_starts_at is
  'Audit records before this time may be removed: the setting audit_retention_days, at least 30; without it none.';

-- By the database, so that no code path and no operator's slip changes what is recorded.
--
-- A redaction, which erases personal data of before and after, says so by a setting: the number of its transaction, so that
-- a setting that is left over allows nothing later. Anyone can set it, so a redaction counts only if it is recorded.
create function audit_records_are_kept() returns trigger
language plpgsql security definer
set search_path = public, pg_temp
as $$
declare
  purged bigint;
  last record;
begin
  if tg_op = 'DELETE' then
    if exists (select from gone where created_at >= audit_retention_starts_at()) then
      raise exception 'audit_records keeps its rows for as long as the setting audit_retention_days says'
        using errcode = 'restrict_violation';
    end if;
    select id into purged from audit_anchors where name = 'purged' for update;
    select id, chain into last from gone where chain is not null and id > purged order by id desc limit 1;
    if found then
      if exists (select from audit_records where id > purged and id < last.id) then
        raise exception 'audit_records are deleted in the order of their ids, so that the rest can be verified'
          using errcode = 'restrict_violation', hint = 'Run `backoffice audit purge`.';
      end if;
      update audit_anchors set id = last.id, chain = last.chain, created_at = now() where name = 'purged';
    end if;
    return null;
  end if;
  if tg_op = 'UPDATE' and current_setting('backoffice.redacts_audit', true) = pg_current_xact_id()::text then
    return null;
  end if;
  raise exception 'audit_records is append-only' using errcode = 'restrict_violation';
end
$$;

comment on function audit_records_are_kept is
  'Refuses every TRUNCATE, every UPDATE but a redaction, and a DELETE within the retention or out of order. Keeps the end of the chain of what is deleted.';

create trigger audit_records_no_update
before update or truncate on audit_records
for each statement execute function audit_records_are_kept();

create trigger audit_records_no_early_delete
after delete on audit_records
referencing old table as gone
for each statement execute function audit_records_are_kept();

-- The chained records in the order of their ids, up to the first that is not old enough: a transaction that committed days
-- after its change has a record among younger ones. Those before the chain in the order of their times.
create function purge_audit_records(max_rows bigint) returns bigint
language plpgsql security definer
set search_path = public, pg_temp
as $$
declare
  kept_from constant timestamptz := audit_retention_starts_at();
  purged bigint;
  start bigint;
  deleted bigint;
  more bigint;
begin
  -- One at a time, else each would find the rows of the other before its own.
  select id into purged from audit_anchors where name = 'purged' for update;
  select id into start from audit_anchors where name = 'start';

  with oldest as materialized (
    select id, created_at from audit_records where id > purged order by id limit max_rows
  ), expired as (
    select id from oldest
    where id < coalesce((select min(id) from oldest where created_at >= kept_from), 9223372036854775807)
  )
  delete from audit_records where id in (select id from expired);
  get diagnostics deleted = row_count;
  if deleted = max_rows or not exists (select from audit_records where id <= start) then
    return deleted;
  end if;

  delete from audit_records where id in (
    select id from audit_records
    where created_at < kept_from and id <= start
    order by created_at, id
    limit max_rows - deleted
  );
  get diagnostics more = row_count;
  return deleted + more;
end
$$;

comment on function purge_audit_records is
  'Deletes audit records that are older than the setting audit_retention_days, oldest first, up to a number. Returns how many.';

-- What audit_records_are_kept lets through.
create function audit_records_keep_their_facts() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if new.redacted_at is null
    or to_jsonb(new) - '{before,after,redacted_at}'::text[] <> to_jsonb(old) - '{before,after,redacted_at}'::text[]
  then
    raise exception 'audit_records is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

comment on function audit_records_keep_their_facts is
  'Row trigger before update: a redaction replaces what a row was before and after, and nothing else.';

create trigger audit_records_only_redacted
before update on audit_records
for each row execute function audit_records_keep_their_facts();

-- A redaction without a record of it would be a way to change the trail. So every one is recorded, with the ids.
create function audit_records_after_redaction() returns trigger
language plpgsql security definer
set search_path = public, pg_temp
as $$
begin
  insert into recorded_changes (origin, operation, event, after)
  select jsonb_build_object('kind', 'service', 'id', null, 'name', 'backoffice', 'door', 'job', 'address', ''),
    'audit.redact', 'audit.redacted', jsonb_build_object('records', count(*), 'ids', jsonb_agg(id order by id))
  from (select id, (row_number() over (order by id) - 1) / 1000 as part from redacted) as numbered
  group by part
  order by part;
  return null;
end
$$;

comment on function audit_records_after_redaction is 'Records which audit records were redacted, 1,000 ids each.';

create trigger audit_records_after_redaction
after update on audit_records
referencing new table as redacted
for each statement execute function audit_records_after_redaction();

-- The only way to change audit records. Only the owner may call it, and roles that the owner grants it to.
create function redact_audit_records(ids bigint[], address_pattern text, fields text[]) returns bigint
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  redacted bigint;
begin
  perform set_config('backoffice.redacts_audit', pg_current_xact_id()::text, true);
  with locked as materialized (
    select id from audit_records where id = any (ids) order by id for no key update
  )
  update audit_records set
    before = erased_json(before, address_pattern, fields),
    after = erased_json(after, address_pattern, fields),
    redacted_at = coalesce(redacted_at, clock_timestamp())
  from locked
  where audit_records.id = locked.id;
  get diagnostics redacted = row_count;
  perform set_config('backoffice.redacts_audit', '', true);
  return redacted;
end
$$;

comment on function redact_audit_records is
  'Replaces an e-mail address, and the texts of the given fields, in audit records. Returns how many.';

revoke execute on function
  publish_changes(pg_snapshot, bigint, bigint, bigint), audit_records_are_kept(), purge_audit_records(bigint),
  audit_records_after_redaction(), redact_audit_records(bigint[], text, text[])
from public;
