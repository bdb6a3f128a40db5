-- Up Migration

select 1;

-- Down Migration

select 1;
