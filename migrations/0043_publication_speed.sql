-- Up Migration

-- The statements of publish_changes are the same for each batch, and scans are off. So one plan serves all batches; to plan
-- them again for each costs as much as to move ten changes.
alter function publish_changes(pg_snapshot, bigint, bigint, bigint) set plan_cache_mode = force_generic_plan;

-- The indexes of the search collect new entries in a list. The statement that fills the list to its limit sorts it in, which
-- takes tens of milliseconds. If that is the publisher's, all events wait. So the service sorts on a connection that nobody
-- waits for. Only the owner of the indexes has the right to do it.
create function sort_in_search_entries() returns void
language sql
security definer
set search_path = public, pg_temp
as $$
  select gin_clean_pending_list(indexrelid)
  from pg_index
  join pg_class on pg_class.oid = indexrelid
  join pg_am on pg_am.oid = relam
  where amname = 'gin' and relnamespace = 'public'::regnamespace and relname like '%\_search\_text\_idx' and indisvalid
$$;

revoke execute on function sort_in_search_entries() from public;

comment on function sort_in_search_entries is
  'Moves the new entries of the search indexes from their lists to their places, before a writer has to.';

-- Fails where claim_idempotency_key would say that the key is not free. So statements that are sent with it fail as well,
-- without a wait for any lock.
create function claim_new_idempotency_key(wanted bytea) returns void
language plpgsql volatile
as $$
begin
  if pg_try_advisory_xact_lock(('x' || encode(substr(wanted, 1, 8), 'hex'))::bit(64)::bigint)
    and not exists (
      select from idempotency_keys where id = wanted and created_at > now() - interval '24 hours'
    )
  then
    return;
  end if;
  raise exception 'the idempotency key is not free' using errcode = 'unique_violation', constraint = 'idempotency_keys_pkey';
end
$$;

comment on function claim_new_idempotency_key is
  'Locks a key for this transaction. Fails if another one holds it, or if there is an answer.';

-- Down Migration

drop function claim_new_idempotency_key(bytea);

drop function sort_in_search_entries();
alter function publish_changes(pg_snapshot, bigint, bigint, bigint) reset plan_cache_mode;
