-- Up Migration

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

-- Down Migration

drop function fetch_joined(refcursor, integer, integer);
