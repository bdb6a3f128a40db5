-- Up Migration

-- Searches compare texts after search_text: those of the rows, and the words that are looked for, so that both always
-- agree. It does not depend on the locale of the database, so its content can be restored into another one.

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

-- A trusted extension: a role that may create schemas in the database may create it.
do $$
begin
  create extension if not exists pg_trgm;
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise exception 'Cannot create the extension pg_trgm: %. Have an administrator of the server run "create extension pg_trgm" in this database. Then try again.',
    sqlerrm;
end
$$;

-- The searched texts have tables of their own: changes of a status leave their indexes alone, and no search folds them.
create table issue_search (
  issue_id bigint primary key,
  text text collate "C" not null
);

comment on table issue_search is 'The text that searches find an issue by. Maintained by triggers of issues.';

create table conversation_search (
  conversation_id text primary key,
  text text collate "C" not null
);

comment on table conversation_search is
  'The text that searches find a conversation by. Maintained by triggers of conversations.';

-- Samples of long texts are costly, and mislead: a frequent word may be in none of them. Without them the planner always
-- takes the index for a word that has three letters (src/db/lists/find-matches.ts has another way for frequent ones).
alter table issue_search alter column text set statistics 0;
alter table conversation_search alter column text set statistics 0;

-- Words have no line breaks, so none is found across two fields.
create function issue_search_text(id bigint, title text, description text, steps_to_reproduce text) returns text
language sql immutable strict parallel safe
return '#' || id::text || E'\n' || search_text(title) || E'\n' || search_text(description) || E'\n'
  || search_text(steps_to_reproduce);

create function conversation_search_text(id text, visitor_name text, visitor_email text, subject text) returns text
language sql immutable strict parallel safe
return search_text(id) || E'\n' || search_text(visitor_name) || E'\n' || search_text(visitor_email) || E'\n'
  || search_text(subject);

comment on function issue_search_text is 'The text of an issue in issue_search: its number and its texts.';
comment on function conversation_search_text is
  'The text of a conversation in conversation_search: its id, its visitor and its subject.';

-- What is written until the triggers exist would have no text.
lock table issues, conversations in share row exclusive mode;

insert into issue_search
select id, issue_search_text(id, title, description, steps_to_reproduce) from issues order by id;

insert into conversation_search
select id, conversation_search_text(id, visitor_name, visitor_email, subject) from conversations order by id;

-- The extension may be in a schema that is not on the search path.
do $$
declare
  schema name := (
    select nspname from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'
  );
begin
  execute format('create index issue_search_text_idx on issue_search using gin (text %I.gin_trgm_ops)', schema);
  execute format(
    'create index conversation_search_text_idx on conversation_search using gin (text %I.gin_trgm_ops)', schema
  );
end
$$;

create function issues_add_search() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  insert into issue_search
  select id, issue_search_text(id, title, description, steps_to_reproduce) from new_rows;
  return null;
end
$$;

create function conversations_add_search() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  insert into conversation_search
  select id, conversation_search_text(id, visitor_name, visitor_email, subject) from new_rows;
  return null;
end
$$;

-- For each row, because only such a trigger can name columns: a statement that sets none of them does nothing here. A row
-- that came in past the triggers gets its text as well.
create function issues_change_search() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  delete from issue_search where issue_id = old.id and old.id <> new.id;
  insert into issue_search
  values (new.id, issue_search_text(new.id, new.title, new.description, new.steps_to_reproduce))
  on conflict (issue_id) do update set text = excluded.text;
  return null;
end
$$;

create function conversations_change_search() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  delete from conversation_search where conversation_id = old.id and old.id <> new.id;
  insert into conversation_search
  values (new.id, conversation_search_text(new.id, new.visitor_name, new.visitor_email, new.subject))
  on conflict (conversation_id) do update set text = excluded.text;
  return null;
end
$$;

-- Deletes after a truncate too: a search that has read a text and now waits for the truncated rows would deadlock with a
-- truncate of the texts.
create function issues_remove_search() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from issue_search;
  else
    delete from issue_search using gone where issue_id = gone.id;
  end if;
  return null;
end
$$;

create function conversations_remove_search() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from conversation_search;
  else
    delete from conversation_search using gone where conversation_id = gone.id;
  end if;
  return null;
end
$$;

revoke execute on function
  issues_add_search(), issues_change_search(), issues_remove_search(),
  conversations_add_search(), conversations_change_search(), conversations_remove_search()
from public;

create trigger issues_add_search
after insert on issues referencing new table as new_rows
for each statement execute function issues_add_search();

create trigger issues_change_search
after update of id, title, description, steps_to_reproduce on issues
for each row when (
  (old.id, old.title, old.description, old.steps_to_reproduce)
  is distinct from (new.id, new.title, new.description, new.steps_to_reproduce)
)
execute function issues_change_search();

create trigger issues_remove_search
after delete on issues referencing old table as gone
for each statement execute function issues_remove_search();

create trigger issues_remove_all_search
after truncate on issues
for each statement execute function issues_remove_search();

create trigger conversations_add_search
after insert on conversations referencing new table as new_rows
for each statement execute function conversations_add_search();

create trigger conversations_change_search
after update of id, visitor_name, visitor_email, subject on conversations
for each row when (
  (old.id, old.visitor_name, old.visitor_email, old.subject)
  is distinct from (new.id, new.visitor_name, new.visitor_email, new.subject)
)
execute function conversations_change_search();

create trigger conversations_remove_search
after delete on conversations referencing old table as gone
for each statement execute function conversations_remove_search();

create trigger conversations_remove_all_search
after truncate on conversations
for each statement execute function conversations_remove_search();

-- Down Migration

drop trigger conversations_remove_all_search on conversations;
drop trigger conversations_remove_search on conversations;
drop trigger conversations_change_search on conversations;
drop trigger conversations_add_search on conversations;
drop trigger issues_remove_all_search on issues;
drop trigger issues_remove_search on issues;
drop trigger issues_change_search on issues;
drop trigger issues_add_search on issues;
drop function issues_add_search();
drop function issues_change_search();
drop function issues_remove_search();
drop function conversations_add_search();
drop function conversations_change_search();
drop function conversations_remove_search();
drop table conversation_search;
drop table issue_search;
drop function conversation_search_text(text, text, text, text);
drop function issue_search_text(bigint, text, text, text);
drop function search_pattern(text);
drop function search_text(text);
drop function search_codes(text);
drop function search_letters(text);
-- The extension stays: others may use it.
