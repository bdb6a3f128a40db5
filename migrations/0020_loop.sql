-- Where a conversation came from, and the mails that take replies to visitors.

-- No list shows these without being asked, so the JSON of a row of the list is without them.
alter table conversations
  add column channel text not null default 'api' check (channel in ('api', 'contact', 'mail')),
  add column page text,
  add column reply_code text constraint conversations_reply_code_key unique;

comment on column conversations.channel is 'How it began: by the API, on the contact page, or with a mail.';
comment on column conversations.page is 'The page of the website that the visitor wrote from; null if it is not known.';
comment on column conversations.reply_code is
  'The code in the reply address of its mails. Made for the first one; null until then.';

create table message_deliveries (
  message_id bigint primary key references conversation_messages (id) on delete cascade,
  mail_id text not null constraint message_deliveries_mail_id_key unique,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'bounced')),
  error text,
  changed_at timestamptz(3) not null default now()
);

comment on table message_deliveries is 'Replies that are sent to visitors by mail. A reply without a row is not sent.';
comment on column message_deliveries.mail_id is 'The Message-ID of the mail, without its angle brackets.';
comment on column message_deliveries.error is 'Why it failed or came back: a sentence for people; null otherwise.';
