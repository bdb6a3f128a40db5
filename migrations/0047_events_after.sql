-- Up Migration

-- The query walks from event to event, so that nothing is read beyond the end of the page. A connection keeps the plan of a
-- query. One that was made when the table was small read and sorted all of it at each step: a page took seconds.
create function events_after(after bigint, max_events integer, max_bytes bigint)
returns table (id bigint, type text, subject_id text, event text)
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
  return query
  with recursive page as (
    (
      select next.*, 1 as place, octet_length(next.event)::bigint as bytes
      from (
        select id, type, subject_id, event_json(id, type, created_at, actor, subject_id, data)::text as event
        from events
        where id > after
        order by id
        limit 1
      ) as next
    )
    union all
    select next.*, page.place + 1, page.bytes + octet_length(next.event)
    from page, lateral (
      select events.id, type, subject_id, event_json(events.id, type, created_at, actor, subject_id, data)::text as event
      from events
      where events.id > page.id
      order by events.id
      limit 1
    ) as next
    where page.place < max_events and page.bytes < max_bytes
  )
  select id, type, subject_id, event from page order by id;
end
$$;

comment on function events_after is
  'A page of the events after an id, oldest first: at most so many, and no more once their JSON has so many bytes.';

-- Down Migration

drop function events_after(bigint, integer, bigint);
