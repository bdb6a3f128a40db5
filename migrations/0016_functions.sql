-- Postgres inlines a function of SQL if its body is no less strict and no more volatile than it says: a strict one must not have
-- CASE, COALESCE or NULLIF, an immutable one must not call what is marked stable. The body of any other is executed as a query
-- of its own, which Postgres 15 plans again for each row of a batch. Nothing indexes the ones that become stable.
alter function search_text(text) called on null input;
alter function search_pattern(text) called on null input;
alter function conversation_preview_content(text) called on null input;
alter function labels_text(text[]) stable called on null input;
alter function issue_search_text(bigint, text, text, text, text[]) stable called on null input;
alter function conversation_search_text(text, text, text, text, text[]) stable called on null input;

create or replace function issue_severity_rank(severity text) returns integer
language sql immutable parallel safe
return case
  when severity is null then null
  else case severity when 'Low' then 1 when 'Medium' then 2 when 'High' then 3 when 'Critical' then 4 else 0 end
end;

-- Nothing calls these.
drop function set_time_precision;
drop function claim_new_idempotency_key;
drop function record_changes;
