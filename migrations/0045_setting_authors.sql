-- Up Migration

alter table settings add column author text, add column authored_at timestamptz;

comment on column settings.author is
  'Who wrote the value through the service, if authored_at is updated_at. Otherwise SQL or an older version has written it since.';

comment on column settings.authored_at is 'The updated_at of the row when author wrote it.';

-- Down Migration

alter table settings drop column author, drop column authored_at;
