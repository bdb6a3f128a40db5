-- The conversations of one visitor, whose address may differ in case. An index row has no room for a long text, so the
-- condition compares the whole address again (src/db/tables/conversations/conversation-list.ts).
create index conversations_visitor_email_idx on conversations (left(lower(btrim(visitor_email)), 100));
