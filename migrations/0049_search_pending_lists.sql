-- Up Migration

-- The search indexes have short lists of new entries, which `migrate up` sets with the other parts of an index.
drop function sort_in_search_entries();

-- Down Migration

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
