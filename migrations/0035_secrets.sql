-- Up Migration

-- Secrets are encrypted by the service (src/services/secrets/secret-box.ts): sealed.v1., the id of the key, the text.
-- Those that an older version stored in clear text stay so until no instance of it runs, which could not read them.
comment on column webhooks.secret is
  'whsec_ and base64, encrypted for webhook:<id>. In clear text until the service has encrypted it.';

alter table settings add column is_secret boolean not null default false;

comment on column settings.is_secret is
  'Whether the service encrypts the value, for setting:<key>. A value that SQL writes is in clear text until then.';

alter table job_workers add column opens_secrets boolean not null default false;

comment on column job_workers.opens_secrets is 'Whether it can decrypt secrets. Those of older versions cannot.';

-- Encrypting a secret again is no change of it.
create or replace function refresh_updated_at() returns trigger
language plpgsql
as $$
begin
  if current_setting('backoffice.keep_updated_at', true) is distinct from 'on' then
    new.updated_at := case when old.updated_at < clock_timestamp() then greatest(now(), old.updated_at) else now() end;
  end if;
  return new;
end
$$;

-- Down Migration

do $$
begin
  if exists (select from webhooks where 'sealed.v1.' in (left(secret, 10), left(former_secret, 10)))
    or exists (select from settings where is_secret and left(setting_value, 10) = 'sealed.v1.')
  then
    raise exception 'There are encrypted secrets, which an older version cannot read.'
      using hint = 'Delete the webhooks and the secret settings, and create them again afterwards.';
  end if;
end
$$;

create or replace function refresh_updated_at() returns trigger
language plpgsql
as $$
begin
  new.updated_at := case when old.updated_at < clock_timestamp() then greatest(now(), old.updated_at) else now() end;
  return new;
end
$$;

alter table job_workers drop column opens_secrets;
alter table settings drop column is_secret;
comment on column webhooks.secret is 'whsec_ and base64. In clear, because each message is signed with it.';
