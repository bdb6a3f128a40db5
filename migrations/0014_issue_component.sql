alter table issues add column component text not null default '';

comment on column issues.component is 'The part of the website that it is about.';

create index issues_component_created_at_id_idx on issues (left(component, 100), created_at, id);
create index issues_component_updated_at_id_idx on issues (left(component, 100), updated_at, id);
