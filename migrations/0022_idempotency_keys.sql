-- Up Migration

-- The answers to calls with an Idempotency-Key, each written in the transaction of the change that it answers. Neither
-- the key nor an answer is stored in clear: an answer may hold a secret that is shown once.
create table idempotency_keys (
  id bytea primary key,
  fingerprint bytea not null,
  answer bytea not null,
  created_at timestamptz not null default now()
);

comment on table idempotency_keys is 'Answers to calls with an Idempotency-Key, kept for 24 hours.';
comment on column idempotency_keys.id is 'A hash of the actor, the operation and the key.';
comment on column idempotency_keys.fingerprint is 'A hash of the request under the key, to recognize another request.';
comment on column idempotency_keys.answer is 'Encrypted under the key, which is not stored.';

-- Finds the expired ones.
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

-- Takes a lock that lasts until the transaction ends, however it ends, then looks for the answer. The function is
-- volatile, so that second statement sees what the previous holder of the lock has committed. It never waits.
create function claim_idempotency_key(
  wanted bytea, out is_running boolean, out fingerprint bytea, out answer bytea
)
language plpgsql volatile
as $$
begin
  -- The first 8 bytes of the hash are the number of the lock.
  is_running := not pg_try_advisory_xact_lock(('x' || encode(substr(wanted, 1, 8), 'hex'))::bit(64)::bigint);
  if not is_running then
    select stored.fingerprint, stored.answer into fingerprint, answer
    from idempotency_keys as stored
    where stored.id = wanted and stored.created_at > now() - interval '24 hours';
  end if;
end
$$;

comment on function claim_idempotency_key is
  'Locks a key for this transaction. Returns is_running if another one holds it, else the stored answer, if there is one.';

-- Down Migration

drop function claim_idempotency_key(bytea);
drop table idempotency_keys;
