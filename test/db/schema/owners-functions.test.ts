import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere(1);

// Everything that a test creates, including roles of the server, is rolled back with its transaction.
beforeEach(() => own.client.query('begin'));
afterEach(() => own.client.query('rollback'));

/** Switches to a new role that has only the given rights, and may create temporary tables, as any role in most databases. */
async function becomeRoleWith(...rights: string[]): Promise<void> {
  const role = `"limited_${crypto.randomUUID()}"`;
  await own.client.query(`create role ${role}`);
  await own.client.query(`grant temporary on database "${new URL(own.url).pathname.slice(1)}" to ${role}`);
  for (const right of rights) await own.client.query(`grant ${right} to ${role}`);
  await own.client.query(`set local role ${role}`);
}

test("no function that runs with its owner's rights can be called by everyone", async () => {
  const { rows } = await own.client.query(
    `select oid::regprocedure::text as name, has_function_privilege('public', oid, 'execute') as open,
       coalesce(proconfig::text, '') as settings
     from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ open }) => open)).toEqual([]);
  // Such a function does not resolve names in schemas that others can write to.
  for (const { settings, name } of rows) expect(settings, name).toContain('search_path=public, pg_temp');
});

describe('a role that can only connect', () => {
  test.for([
    ['issues_append_count_deltas', 'severity text, status text, category text, created_at timestamptz'],
    ['end_sessions_of_changed_admin', 'id text, is_active integer'],
  ] as const)('cannot use %s in a trigger on its own table', async ([name, columns]) => {
    await becomeRoleWith();
    await own.client.query(`create temp table own (${columns})`);
    const createTrigger = `create trigger own after insert on own referencing new table as new_rows
      for each statement execute function public.${name}()`;
    await expect(own.client.query(createTrigger)).rejects.toThrow(
      `permission denied for function public.${name}`,
    );
  });

  test('cannot lock the issues by a rebuild of their counters', async () => {
    await becomeRoleWith();
    await expect(own.client.query('select rebuild_issue_counters()')).rejects.toThrow('permission denied');
  });
});

test('the issues of a role that can only write issues are counted', async () => {
  await becomeRoleWith('select, insert, delete on issues');
  await own.client.query(`insert into issues (title) select 'T' from generate_series(1, 600)`);
  await own.client.query('delete from issues where id in (select id from issues limit 100)');
  await own.client.query('reset role');
  const { rows } = await own.client.query(`select issue_statistics('all')::json -> 'totalIssues' as total`);
  expect(rows).toEqual([{ total: 500 }]);
});

describe('a role that can delete audit records', () => {
  const rights = ['select, delete on audit_records', 'select on settings'];

  beforeEach(async () => {
    await own.client.query(
      `insert into audit_records (id, event, operation, actor_kind, actor_name, door, created_at)
       values (1, 'issue.created', 'issues.create', 'admin', 'a', 'http', now() - interval '1 year')`,
    );
  });

  test.for([
    [
      'a setting in a temporary table',
      `create temp table settings (setting_key text, setting_value text);
       insert into settings values ('audit_retention_days', '30');`,
    ],
    [
      'a function of its own',
      `create function pg_temp.audit_retention_starts_at() returns timestamptz language sql
         as $$ select timestamptz 'infinity' $$;
       set local search_path = pg_temp, public;`,
    ],
  ] as const)('cannot shorten the retention period with %s', async ([, trick]) => {
    await becomeRoleWith(...rights);
    await own.client.query(trick);
    await expect(own.client.query('delete from public.audit_records')).rejects.toThrow('keeps its rows');
  });
});

describe('the runtime role', () => {
  const role = () => inject('roles').runtime.name;
  const become = () => own.client.query(`set local role "${role()}"`);

  /** Runs a statement as the runtime role, and returns the code of its error. What it did is undone. */
  async function codeOf(statement: string): Promise<string | undefined> {
    await own.client.query('savepoint attempt');
    try {
      await become();
      await own.client.query(statement);
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      await own.client.query('rollback to attempt');
    }
  }

  const denied = '42501';

  test('has the rights that it needs on each table, and no others', async () => {
    const { rows } = await own.client.query<{ name: string; rights: string }>(
      `select c.oid::regclass::text as name, string_agg(privilege, ' ' order by place) as rights
       from pg_class as c
       cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
         with ordinality as given (privilege, place)
       where c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and c.relkind in ('r', 'p')
         and has_table_privilege($1, c.oid, privilege)
       group by c.oid`,
      [role()],
    );
    const rightsOf = Object.fromEntries(rows.map(({ name, rights }) => [name, rights]));
    const tables = await own.client.query(
      `select from pg_class where relkind in ('r', 'p')
         and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
    );
    expect(rows).toHaveLength(tables.rows.length);
    const { audit_records, audit_anchors, recorded_changes, migrations, ...rest } = rightsOf;
    expect([audit_records, audit_anchors, migrations]).toEqual(['SELECT', 'SELECT', 'SELECT']);
    expect(recorded_changes).toBe('SELECT INSERT');
    const { 'graphile_worker.migrations': jobMigrations, ...others } = rest;
    expect(jobMigrations).toBe('SELECT');
    expect(new Set(Object.values(others))).toEqual(new Set(['SELECT INSERT UPDATE DELETE']));
  });

  test('may call each function that no trigger calls, and use each sequence', async () => {
    const { rows } = await own.client.query(
      `select oid::regprocedure::text as name from pg_proc
       where pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
         and prorettype <> 'trigger'::regtype and not has_function_privilege($1, oid, 'EXECUTE')
       union all
       select oid::regclass::text from pg_class
       where relkind = 'S' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
         and not (has_sequence_privilege($1, oid, 'USAGE') and has_sequence_privilege($1, oid, 'SELECT'))`,
      [role()],
    );
    expect(rows).toEqual([]);
  });

  test.for([
    'create table public.own (id integer)',
    'create temporary table own (id integer)',
    'create schema own',
    'create view public.own as select 1',
    'create function public.own() returns integer language sql as $$ select 1 $$',
    'create function graphile_worker.own() returns integer language sql as $$ select 1 $$',
    'create role own',
    'create extension hstore',
    'alter table issues add column own integer',
    'alter table audit_records disable trigger all',
    'alter function publish_changes reset all',
    'create trigger own before insert on issues for each row execute function issues_append_count_deltas()',
    'drop table issues',
    'drop trigger audit_records_no_update on audit_records',
    'truncate issues',
    'truncate audit_records',
    'truncate recorded_changes',
    `insert into audit_records (id, event, operation, actor_kind, actor_name, door) values (1, 'e', 'o', 'k', 'n', 'd')`,
    `update audit_records set actor_name = 'other'`,
    'delete from audit_records',
    'select from audit_records for update',
    `update audit_anchors set chain = ''`,
    'delete from audit_anchors',
    `update recorded_changes set after = '{}'`,
    'delete from recorded_changes',
    'delete from migrations',
    `set session_replication_role = replica`,
    `copy issues to program 'cat'`,
    `select pg_read_file('postgresql.conf')`,
  ])('is refused: %s', async (statement) => {
    expect(await codeOf(statement)).toBe(denied);
  });

  test('gets the rights on a table that the owner creates later', async () => {
    await own.client.query(`set local role "${inject('roles').owner.name}"`);
    await own.client.query('create table later (id integer generated always as identity)');
    await own.client.query('reset role');
    expect(await codeOf('insert into later default values')).toBeUndefined();
    expect(await codeOf('select from later for update')).toBeUndefined();
  });

  test('deletes expired audit records, and publishes, by functions of the owner', async () => {
    await own.client.query(
      `insert into audit_records (id, event, operation, actor_kind, actor_name, door, created_at)
       values (0, 'issue.created', 'issues.create', 'admin', 'a', 'http', now() - interval '1 year')`,
    );
    await become();
    await own.client.query(
      `insert into settings (setting_key, setting_value) values ('audit_retention_days', '30')`,
    );
    await own.client.query(
      `insert into recorded_changes (origin, operation, event)
       values ('{"kind": "admin", "name": "a", "door": "http"}', 'issues.create', 'issue.created')`,
    );
    const { rows } = await own.client.query(
      'select purge_audit_records(10)::integer as purged, (select published::integer from publish_changes()) as published',
    );
    expect(rows).toEqual([{ purged: 1, published: 1 }]);
  });
});

test('deploy/roles.sql hands over everything that is in the schema', async () => {
  const file = await readFile('deploy/roles.sql', 'utf8');
  const select = file.slice(file.indexOf("select format('alter schema"), file.lastIndexOf('\\gexec'));
  const { rowCount } = await own.client.query(`select from pg_roles where rolname = 'backoffice_owner'`);
  if (rowCount === 0) await own.client.query('create role backoffice_owner');
  const statements = async () => (await own.client.query<{ statement: string }>(select)).rows;
  for (const { statement } of await statements()) await own.client.query(statement);
  expect(await statements()).toEqual([]);
  const { rows } = await own.client.query(`
    select distinct pg_get_userbyid(relowner) as owner from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S')
  `);
  expect(rows).toEqual([{ owner: 'backoffice_owner' }]);
});
