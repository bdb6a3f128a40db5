import type { Client } from 'pg';

/**
 * Describes everything that migrations created in the schema `public`, one line each in Postgres' own words, without
 * the table of migrations and what belongs to extensions. Two schemas are equal if their lines are.
 */
export async function schemaSnapshot(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    with relation as (
      select oid, relname, relkind, reloptions
      from pg_class
      where relnamespace = 'public'::regnamespace and relname not like 'migrations%'
    ),
    own_function as (
      select oid from pg_proc
      where pronamespace = 'public'::regnamespace
        and not exists (
          select from pg_depend
          where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
        )
    )
    select line from (
      select format('%s %s %s', relkind, relname, reloptions) from relation
      union all
      select format('view %s %s', relname, pg_get_viewdef(oid)) from relation where relkind = 'v'
      union all
      select format('index %s', pg_get_indexdef(oid)) from relation where relkind = 'i'
      union all
      select format('column %s.%s %s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod),
        attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid))
      from relation
      join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      union all
      select format('constraint %s %s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
      from relation join pg_constraint on conrelid = relation.oid
      union all
      select format('trigger %s', pg_get_triggerdef(pg_trigger.oid))
      from relation join pg_trigger on tgrelid = relation.oid and not tgisinternal
      union all
      select pg_get_functiondef(pg_proc.oid) from own_function join pg_proc using (oid) where prokind <> 'a'
      union all
      select format('execute %s by all %s', oid::regprocedure, has_function_privilege('public', oid, 'execute'))
      from own_function
      union all
      select format('comment %s %s', pg_describe_object(classoid, objoid, objsubid), description)
      from pg_description
      where objoid in (select oid from relation union all select oid from own_function)
    ) as described (line)
    order by line collate "C"
  `);
  return rows.map(({ line }) => line);
}
