-- The audit trail has the old and the new value of a setting that is not secret. Events do not: they are sent to other
-- services by webhooks.
create function events_without_setting_values() returns trigger
language plpgsql
as $$
begin
  new.data := new.data - '{value,values}'::text[];
  return new;
end
$$;

comment on function events_without_setting_values is 'Row trigger before insert: leaves out the values that the audit record of the same change has.';

create trigger events_without_setting_values
before insert on events
for each row when (new.type in ('setting.updated', 'settings.updated', 'setting.deleted'))
execute function events_without_setting_values();
