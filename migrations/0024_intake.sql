-- Tokens that may only send data in, and webhooks whose messages have the text of what was written.

alter table api_tokens
  add column scope text not null default 'all' check (scope in ('all', 'intake')),
  add column did_more boolean not null default false;

comment on column api_tokens.scope is 'intake: it may only send data in, as the operations with intake in the contract do.';
comment on column api_tokens.did_more is
  'Whether it has ever done more than to send data in. doctor names tokens that have not, and could.';

-- What an older token did is not known.
update api_tokens set did_more = true;

alter table webhooks add column include_content boolean not null default false;

comment on column webhooks.include_content is
  'Whether its messages have the text of messages and issues, read when they are sent. No delivery is stored with it.';
