-- Ids, times and texts: the functions that several nouns use.

-- Ids of the form <prefix>_<milliseconds>_<base-36 suffix>, so that an INSERT without an id works.
-- The suffix comes from gen_random_uuid(), Postgres' own strong random source: its last seven bytes
-- hold no version bits. Longer suffixes need another source.
create function generate_id(prefix text, suffix_length integer) returns text
language sql volatile
as $$
  select prefix || '_' || floor(extract(epoch from clock_timestamp()) * 1000)::bigint || '_' || string_agg(
    substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + get_byte(random.bytes, 16 - position) % 36, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) as random
  cross join generate_series(1, least(suffix_length, 7)) as position
$$;

comment on function generate_id is
  'Default of text ids: prefix_milliseconds_suffix, the suffix of at most 7 random base-36 characters.';

-- A trigger rather than a rule of the service, so that plain SQL by an operator refreshes the time too.
-- Triggers that use it leave an updated_at alone that the statement itself sets.
--
-- Several changes may fall into one millisecond: the time that the service sets may be that of the row already, and the
-- transaction may have started before the last change of the row. A time never goes back, unless it is in the future.
--
-- Encrypting a secret again is no change of it.
create function refresh_updated_at() returns trigger
language plpgsql
as $$
begin
  if current_setting('backoffice.keep_updated_at', true) is distinct from 'on' then
    new.updated_at := case when old.updated_at < clock_timestamp() then greatest(now(), old.updated_at) else now() end;
  end if;
  return new;
end
$$;

comment on function refresh_updated_at is 'Row trigger before update: sets updated_at to the time of the transaction.';

-- Free text has no limit of length, an index row has. convert_to() is only marked stable; for a given
-- database, whose encoding never changes, this is immutable.
create function text_digest(value text) returns bytea
language sql immutable strict parallel safe
as $$ select sha256(convert_to(value, 'UTF8')) $$;

comment on function text_digest is 'SHA-256 of a text, a key for an index on text of any length.';

-- Answers show milliseconds. Lists are ordered by time and then by id, so rows that show the same time are in the order
-- of their ids only if the database keeps no more than it shows: these columns are timestamptz(3). This changes the type
-- of others to that. Existing times are cut, not rounded: a rounded time could move to another hour than the one that
-- counts it.
--
-- Postgres refuses to change the type of a column that a trigger names, so such triggers are made again.
create function set_time_precision(of_table regclass, columns text[], type_name text) returns void
language plpgsql
as $$
declare
  trigger_name name;
  definition text;
  definitions text[] := '{}';
begin
  for trigger_name, definition in
    select distinct tgname, pg_get_triggerdef(pg_trigger.oid)
    from pg_trigger
    join pg_depend on classid = 'pg_trigger'::regclass and objid = pg_trigger.oid and refobjid = tgrelid
    join pg_attribute on attrelid = tgrelid and attnum = refobjsubid and attname = any (columns)
    where tgrelid = of_table and not tgisinternal
    order by tgname
  loop
    definitions := definitions || definition;
    execute format('drop trigger %I on %s', trigger_name, of_table);
  end loop;
  execute format('alter table %s ', of_table) || (
    select string_agg(
      format('alter column %1$I type %2$s using date_trunc(''milliseconds'', %1$I)', column_name, type_name), ', '
    )
    from unnest(columns) as column_name
  );
  foreach definition in array definitions loop
    execute definition;
  end loop;
end
$$;

-- Formats a time as lists show it. Immutable, because no setting of the session changes the result. Null if the time is
-- infinite, as in the lists.
create function list_time(at timestamptz) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return case
    when at >= timestamptz '0001-01-01Z' and at < timestamptz '10000-01-01Z' then substr(to_json(
      date_trunc('milliseconds', at at time zone interval '0') + interval '1 microsecond'
    )::text, 2, 23) || 'Z'
    else to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  end;
end
$$;

comment on function list_time is 'A time as ISO 8601 in UTC, with milliseconds.';

-- Whole lists are read by a cursor. Each row that Postgres sends costs the service more than the row's text, so it sends
-- many as one text.
create function fetch_joined(rows refcursor, max_rows integer, max_length integer, out text text, out count integer)
language plpgsql
as $$
declare
  row_text text;
  texts text[] := '{}';
  length integer := 0;
begin
  count := 0;
  while count < max_rows and length < max_length loop
    fetch next from rows into row_text;
    exit when not found;
    texts := texts || row_text;
    length := length + octet_length(row_text);
    count := count + 1;
  end loop;
  text := array_to_string(texts, ',');
end
$$;

comment on function fetch_joined is
  'Fetches texts from a cursor until they are long enough, and returns them joined by commas. The count is 0 at the end.';

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

-- Searches compare texts after search_text: those of the rows, and the words that are looked for, so that both always
-- agree. It does not depend on the locale of the database, so its content can be restored into another one.
--
-- The indexes over these texts are not here: `migrate up` builds them afterwards without blocking writers, also those that
-- a restore has dropped (src/db/lists/search-indexes.ts).

do $$
declare
  -- Lower-cases the letters of all scripts. The locale of the database may be C, which knows those of ASCII only.
  all_letters text := coalesce(
    (
      select format('collate %I.%I', nspname, collname)
      from pg_collation
      join pg_namespace on pg_namespace.oid = collnamespace
      where collname in ('pg_c_utf8', 'und-x-icu') and collencoding in (-1, pg_char_to_encoding('UTF8'))
      order by collname
      limit 1
    ),
    ''
  );
begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'The encoding of the database is %. Backoffice needs UTF8.', current_setting('server_encoding')
      using hint = 'Move the data to a database created with encoding ''UTF8'' template template0.';
  end if;

  execute format(
    $create$
      create function search_letters(value text) returns text
      language sql immutable strict parallel safe
      return replace(replace(replace(replace(
        translate(
          lower(
            regexp_replace(
              normalize(value, nfkd),
              '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]'
                collate "C",
              '', 'g'
            ) %s
          ),
          'øłđðħŧıȷςʼ’‘‛“”„«»‐–—−⁄',
          'olddhtijσ''''''''"""""----/'
        ),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
    $create$,
    all_letters
  );
end
$$;

comment on function search_letters is
  'A text without case and accents: compatibility forms decomposed, combining marks removed, letters that do not decompose replaced.';

-- pg_trgm indexes sequences of three letters or digits, in databases with the locale C those of ASCII only. Capitals are
-- free for codes, because a folded text has none. A letter of Greek, Cyrillic, Armenian, Hebrew or Arabic has two, so
-- that a sequence of three tells of two letters that meet; any other character has four, so that one alone is found.
create function search_codes(folded text) returns text
language sql immutable strict parallel safe
return case
  when octet_length(folded) = length(folded) then folded
  else (
    select string_agg(
      case
        when octet_length(letter) = 1 then letter
        when ascii(letter) between 945 and 1620
        then chr(65 + (ascii(letter) - 945) / 26) || chr(65 + (ascii(letter) - 945) % 26)
        else chr(65 + ascii(letter) / 17576 % 26) || chr(65 + ascii(letter) / 676 % 26)
          || chr(65 + ascii(letter) / 26 % 26) || chr(65 + ascii(letter) % 26)
      end,
      ''
    )
    from string_to_table(folded, null) as letter
  )
end;

comment on function search_codes is 'A folded text in ASCII: letters of other scripts become capitals.';

create function search_text(value text) returns text
language sql immutable strict parallel safe
return case
  when octet_length(value) = length(value) then lower(left(value, 100000) collate "C")
  else search_codes(search_letters(left(value, 100000)))
end;

comment on function search_text is
  'What searches compare: the first 100,000 characters of a text, without case and accents, in ASCII.';

create function search_pattern(word text) returns text
language sql immutable strict parallel safe
return '%' || replace(replace(replace(search_text(word), '\', '\\'), '%', '\%'), '_', '\_') || '%';

comment on function search_pattern is 'The LIKE pattern of the texts that contain a word, both after search_text.';

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
