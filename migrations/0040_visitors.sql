-- Up Migration

-- The pattern is a regular expression of the e-mail address. Null replaces nothing.
create function erased_text(value text, address_pattern text) returns text
language sql immutable parallel safe
return case
  when address_pattern is null then value
  else regexp_replace(value, address_pattern, '[erased]', 'gi')
end;

comment on function erased_text is 'A text without an e-mail address.';

create function erased_json(value jsonb, address_pattern text, fields text[]) returns jsonb
language plpgsql immutable parallel safe
as $$
begin
  case jsonb_typeof(value)
    when 'string' then
      return to_jsonb(public.erased_text(value #>> '{}', address_pattern));
    when 'array' then
      return coalesce(
        (select jsonb_agg(public.erased_json(item, address_pattern, fields)) from jsonb_array_elements(value) as item),
        '[]'
      );
    when 'object' then
      return coalesce(
        (
          select jsonb_object_agg(
            key,
            case
              when key = any (fields) and jsonb_typeof(item) = 'string' and item <> '""' then '"[erased]"'
              else public.erased_json(item, address_pattern, fields)
            end
          )
          from jsonb_each(value) as field (key, item)
        ),
        '{}'
      );
    else
      return value;
  end case;
end
$$;

comment on function erased_json is 'JSON without an e-mail address in its texts, and without the texts of the given fields.';

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

revoke execute on function redact_audit_records(bigint[], text, text[]) from public;

-- Down Migration

drop function redact_audit_records(bigint[], text, text[]);
drop trigger audit_records_only_redacted on audit_records;
drop function audit_records_keep_their_facts();

drop function erased_json(jsonb, text, text[]);
drop function erased_text(text, text);
