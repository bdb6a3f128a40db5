-- Up Migration

-- The texts of the lists that have no table for them. None of what they are made of changes often, so each has an index
-- over its expression, which `migrate up` builds afterwards without blocking writers (src/db/migrate/trigrams.ts).
--
-- They are functions in PL/pgSQL, because a call of one in SQL takes ten times as long. What they call is named with its
-- schema, because a restore builds the indexes without a search path.
--
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

create function delivery_search_text(message_id text, type text, payload text, error text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return public.search_text(concat_ws(E'\n', message_id, type, payload, error));
end
$$;

create function run_search_text(run_id text, source text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return public.search_text(concat_ws(E'\n', run_id, source));
end
$$;

create function error_search_text(message text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return public.search_text(message);
end
$$;

comment on function audit_search_text is
  'The text that searches find an audit record by: the first 100,000 characters of its actor, operation, event, subject and values.';
comment on function delivery_search_text is
  'The text that searches find a delivery by: the first 100,000 characters of its message and its error.';
comment on function run_search_text is 'The text that searches find a scraping run by: its id and its source.';
comment on function error_search_text is 'The text that searches find the links of a scraping error by: its message.';

-- Down Migration

drop index if exists scraping_errors_search_text_idx;
drop index if exists scraping_runs_search_text_idx;
drop index if exists webhook_deliveries_search_text_idx;
drop index if exists audit_records_search_text_idx;
drop function error_search_text(text);
drop function run_search_text(text, text);
drop function delivery_search_text(text, text, text, text);
drop function audit_search_text(text, text, text, text, jsonb, jsonb);
