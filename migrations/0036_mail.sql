-- Up Migration

create table failed_mails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  error text not null,
  failed_at timestamptz not null default now()
);

comment on table failed_mails is 'Mails that were given up in the last week, for doctor.';
comment on column failed_mails.error is 'Why, in a sentence.';

create index failed_mails_failed_at_idx on failed_mails (failed_at);

-- Down Migration

drop table failed_mails;
