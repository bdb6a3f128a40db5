-- Mails of visitors: the original of each, and how far the mailbox is read.

create table received_mails (
  id bigint generated always as identity primary key,
  message_id bigint not null constraint received_mails_message_id_key unique
    references conversation_messages (id) on delete cascade,
  digest text not null constraint received_mails_digest_key unique,
  mail_id text,
  addresses text not null,
  attachments json not null default '[]',
  bytes bigint not null,
  quoted_from integer,
  source bytea,
  received_at timestamptz(3) not null default now()
);

-- The service has compressed it.
alter table received_mails alter column source set storage external;

create index received_mails_mail_id_idx on received_mails (mail_id);

comment on table received_mails is 'The mails that became messages, with their originals. Deleted with their messages.';
comment on column received_mails.digest is
  'What a mail counts once by: its sender, date, Message-ID, subject and body. A Message-ID alone could be used by anyone.';
comment on column received_mails.mail_id is 'The Message-ID, without its angle brackets; null if there is none.';
comment on column received_mails.addresses is 'The addresses in its header, for the erasure of visitors.';
comment on column received_mails.attachments is 'Part, name, media type and bytes of each attachment, at most 100.';
comment on column received_mails.quoted_from is
  'Where in the text of the message the quoted mails begin, in UTF-16 units; null if it quotes none.';
comment on column received_mails.source is 'The mail, compressed by zlib; null if it was too large, or had the address of a visitor who is erased.';

create table mailboxes (
  name text primary key,
  holder text,
  held_until timestamptz,
  uid_validity bigint,
  last_uid bigint,
  read_at timestamptz(3),
  error text
);

comment on table mailboxes is 'The mailbox that is read by IMAP, and which instance reads it.';
comment on column mailboxes.name is 'User, host and folder.';
comment on column mailboxes.holder is 'The instance that reads it until `held_until`, or longer if it renews that.';
comment on column mailboxes.last_uid is 'The highest UID that was stored, under this UIDVALIDITY.';
comment on column mailboxes.read_at is 'When all of it was last read; null if never.';
comment on column mailboxes.error is 'Why it cannot be read: a sentence for people; null if it can.';
