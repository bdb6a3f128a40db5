-- Up Migration

-- The search indexes have short lists of new entries, which `migrate up` sets with the other parts of an index.
drop function sort_in_search_entries();

-- What is left of an erased visitor in the planner's statistics goes with the next ANALYZE, which autovacuum runs.
drop function forget_statistics(text[], text[]);

-- Secrets in clear text are not used until `backoffice secrets rotate` has encrypted them.
alter table job_workers drop column opens_secrets;
comment on column webhooks.secret is 'whsec_ and base64, encrypted for webhook:<id>.';
comment on column settings.is_secret is 'Whether the value is encrypted, for setting:<key>.';

-- Down Migration

comment on column settings.is_secret is
  'Whether the service encrypts the value, for setting:<key>. A value that SQL writes is in clear text until then.';
comment on column webhooks.secret is
  'whsec_ and base64, encrypted for webhook:<id>. In clear text until the service has encrypted it.';
alter table job_workers add column opens_secrets boolean not null default false;
comment on column job_workers.opens_secrets is 'Whether it can decrypt secrets. Those of older versions cannot.';

-- The service may run as a role that owns nothing. Only an owner may analyze a table in Postgres 15 and 16.
--
-- The planner's statistics have samples of the values. An empty table keeps them when it is analyzed.
create function forget_statistics(tables text[], texts text[]) returns void
language plpgsql security definer
set search_path = public, pg_temp
as $$
declare
  found_column record;
  found_table text;
  found_tables text[] := '{}';
begin
  for found_column in
    select tablename as table_name, attname as column_name
    from pg_stats
    where schemaname = 'public' and tablename = any(tables) and exists (
      select from unnest(texts) as wanted
      where strpos(
        lower(concat_ws(' ', most_common_vals::text, histogram_bounds::text, most_common_elems::text)), lower(wanted)
      ) > 0
    )
  loop
    if found_column.table_name <> all(found_tables) then
      found_tables := found_tables || found_column.table_name::text;
    end if;
    if current_setting('server_version_num')::integer >= 180000 then
      execute 'select pg_clear_attribute_stats($1, $2, $3, false)'
        using 'public'::text, found_column.table_name::text, found_column.column_name::text;
    end if;
  end loop;
  foreach found_table in array found_tables loop
    execute format('analyze public.%I', found_table);
  end loop;
end
$$;

comment on function forget_statistics is
  'Analyzes those of the tables in whose statistics one of the texts is, so that it is there no longer.';

revoke execute on function forget_statistics(text[], text[]) from public;

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
