-- Up Migration

-- Its fields and their order are those of the JSON.
create type event_envelope as (
  id bigint, type text, created_at text, actor text, subject_id text, data jsonb
);

comment on type event_envelope is 'An event as its receivers see it, in the live stream and as the data of a webhook message.';

-- One expression, so that Postgres inlines it.
create function event_json(
  id bigint, type text, created_at timestamptz, actor text, subject_id text, data jsonb
) returns json
language sql stable
as $$
  select row_to_json(row(
    id, type, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), actor, subject_id, data
  )::event_envelope)
$$;

comment on function event_json is 'An event as JSON: the same bytes in the live stream and in the message of a webhook.';

drop function webhook_payload(bigint, text, text, text, timestamptz, jsonb);

-- The types of the arguments stay: until the last instance of the previous version stops, it calls the function too.
create function webhook_payload(
  id bigint, type text, subject_id text, actor text, created_at timestamptz, data jsonb
) returns text
language sql stable
as $$
  select json_build_object(
    'type', type,
    'timestamp', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', event_json(id, type, created_at, actor, subject_id, data)
  )::text
$$;

comment on function webhook_payload is 'The body of the message about an event (https://www.standardwebhooks.com).';

-- Down Migration

drop function webhook_payload(bigint, text, text, text, timestamptz, jsonb);

create function webhook_payload(
  id bigint, type text, subject_id text, actor text, created_at timestamptz, subject jsonb
) returns text
language sql stable
as $$
  select json_build_object(
    'type', type,
    'timestamp', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', json_build_object('id', id, 'subject_id', subject_id, 'actor', actor, 'subject', subject)
  )::text
$$;

comment on function webhook_payload is 'The body of the message about an event (https://www.standardwebhooks.com).';

drop function event_json(bigint, text, timestamptz, text, text, jsonb);
drop type event_envelope;
