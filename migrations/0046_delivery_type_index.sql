-- Up Migration

-- Deliveries of rare event types, in the order of the list.
create index webhook_deliveries_type_created_at_id_idx on webhook_deliveries (type, created_at, id);

-- Down Migration

drop index webhook_deliveries_type_created_at_id_idx;
