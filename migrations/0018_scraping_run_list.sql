-- Up Migration

-- The order of the list, which the analytics read a range of too.
create index scraping_runs_started_at_run_id_idx on scraping_runs (started_at desc, run_id desc);
drop index scraping_runs_started_at_idx;

-- Down Migration

create index scraping_runs_started_at_idx on scraping_runs (started_at);
drop index scraping_runs_started_at_run_id_idx;
