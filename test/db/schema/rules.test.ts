import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere(1);

// Each test runs in its own transaction, in which now() does not change. All that it creates, such as roles, is rolled back.
beforeEach(() => own.sql('begin'));
afterEach(() => own.sql('rollback'));

/** Returns the only row. */
async function one(text: string): Promise<object> {
  const rows = await own.sql(text);
  expect(rows).toHaveLength(1);
  return rows[0] ?? {};
}

test.for([
  [
    'admin',
    `insert into admins (email, username) values ('a@example.com', 'a') returning *`,
    { role: 'admin', is_active: 1, otp_email: 'a@example.com', password_hash: '' },
    /^admin_\d{13}_[0-9a-z]{6}$/,
  ],
  [
    'conversation',
    `insert into conversations (visitor_email, visitor_name) values ('v@example.com', 'V') returning *`,
    { subject: '', status: 'open' },
    /^conv_\d{13}_[0-9a-z]{7}$/,
  ],
  [
    'issue',
    `insert into issues (title) values ('t') returning *`,
    { category: 'Other', severity: 'Low', description: '', steps_to_reproduce: '', status: 'Open' },
    /^\d+$/,
  ],
] as const)('an INSERT of only the required columns creates a complete %s', async ([, insert, row, id]) => {
  expect(await one(insert)).toMatchObject({ ...row, id: expect.stringMatching(id) });
});

const old = '2026-01-31 09:30Z';

test.for([
  ['issues', `(title) values ('t')`, 'status = status'],
  ['settings', `(setting_key, setting_value) values ('key', 'value')`, 'setting_value = setting_value'],
  ['admins', `(email, username) values ('a', 'a')`, `username = 'b'`],
] as const)('a plain UPDATE sets updated_at of %s, unless it sets it itself', async ([table, row, set]) => {
  const isFresh = () =>
    one(`select updated_at::timestamptz(3) = now()::timestamptz(3) as fresh from ${table}`);
  await own.sql(`insert into ${table} ${row}; update ${table} set updated_at = '${old}'`);
  expect(await isFresh()).toEqual({ fresh: false });
  await own.sql(`update ${table} set ${set}`);
  expect(await isFresh()).toEqual({ fresh: true });
});

test.for([
  ['reopens a closed conversation, and moves it to the top', 'closed', 'open', 'now'],
  ['leaves a pending one', 'pending', 'pending', 'now'],
  ['that is older than the last change does neither', 'closed', 'closed', '2026-01-30 09:30Z'],
] as const)('a new message of the visitor %s', async ([, before, after, createdAt]) => {
  await own.sql(`
    insert into conversations (id, visitor_email, visitor_name, status, updated_at)
    values ('c', 'v@example.com', 'V', '${before}', '${old}');
    insert into conversation_messages (conversation_id, sender_type, content, created_at)
    values ('c', 'visitor', 'text', '${createdAt}')
  `);
  const state = await one('select status, updated_at = now()::timestamptz(3) as fresh from conversations');
  expect(state).toEqual({ status: after, fresh: createdAt === 'now' });
});

const keepOne = `set local backoffice.keep_session = 'a1';`;

test.for([
  ['b1', `update admins set password_hash = 'new' where id = 'a'`],
  ['a1 a2 b1', `update admins set username = 'new', role = role, password_hash = password_hash`],
  ['a1 b1', `${keepOne} update admins set password_hash = 'new' where id = 'a'`],
  ['b1', `${keepOne} update admins set is_active = 0 where id = 'a'`],
] as const)('the sessions %s are left after: %s', async ([left, change]) => {
  await own.sql(`
    insert into admins (id, email, username) values ('a', 'a', 'a'), ('b', 'b', 'b');
    insert into sessions (sid, sess, expire)
    values ('a1', '{"adminId":"a"}', now()), ('a2', '{"adminId":"a"}', now()), ('b1', '{"adminId":"b"}', now());
    ${change}
  `);
  expect(await one(`select string_agg(sid, ' ' order by sid) as left from sessions`)).toEqual({ left });
});

/** Switches to a new role that has only the given rights, and may create temporary tables, as any role in most databases. */
async function becomeRoleWith(...rights: string[]): Promise<void> {
  const role = `"limited_${crypto.randomUUID()}"`;
  await own.sql(`create role ${role}`);
  await own.sql(`grant temporary on database "${new URL(own.url).pathname.slice(1)}" to ${role}`);
  for (const right of rights) await own.sql(`grant ${right} to ${role}`);
  await own.sql(`set local role ${role}`);
}

test("no function that runs with its owner's rights can be called by everyone", async () => {
  const rows = await own.sql(
    `select oid::regprocedure::text as name, has_function_privilege('public', oid, 'execute') as open,
       coalesce(proconfig::text, '') as settings
     from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ open }) => open)).toEqual([]);
  // Such a function does not resolve names in schemas that others can write to.
  for (const { settings, name } of rows) expect(settings, name).toContain('search_path=public, pg_temp');
});

test('Postgres inlines the functions of SQL that rows call', async () => {
  const functions = await own.sql<{ name: string; types: string[] }>(`
    select proname as name, array(
      select type::regtype::text from unnest(proargtypes::oid[]) with ordinality as given (type, place) order by place
    ) as types
    from pg_proc
    where pronamespace = 'public'::regnamespace and pronargs > 0
      and prolang = (select oid from pg_language where lanname = 'sql')
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  `);
  const called: string[] = [];
  for (const { name, types } of functions) {
    const args = types.map((_, index) => `a${index}`).join(', ');
    const row = types.map((type, index) => `null::${type} as a${index}`).join(', ');
    const plan = await own.sql(
      `explain (verbose, costs off) select ${name}(${args}) from (select ${row} offset 0) as given`,
    );
    if (JSON.stringify(plan).includes(`${name}(`)) called.push(name);
  }
  expect(called.toSorted()).toEqual(
    [
      // They read rows of their own.
      'change_labels',
      'generate_id',
      'search_codes',
      'split_large_issue_buckets',
      // What they call is marked stable.
      'fold_labels',
      'text_digest',
      // It is called with words that are searched for, not with rows.
      'search_pair',
    ].toSorted(),
  );
});

test('the issues of a role that can only write issues are counted', async () => {
  await becomeRoleWith('select, insert, delete on issues');
  await own.sql(`
    insert into issues (title) select 'T' from generate_series(1, 600);
    delete from issues where id in (select id from issues limit 100);
    reset role
  `);
  const total = `select issue_statistics('all')::json -> 'totalIssues' as total`;
  expect(await one(total)).toEqual({ total: 500 });
});

test('a role that can delete audit records cannot shorten their retention by temporary settings and functions', async () => {
  await own.sql(`
    insert into audit_records (id, event, operation, actor_kind, actor_name, door, created_at)
    values (0, 'issue.created', 'issues.create', 'admin', 'a', 'http', now() - interval '1 year')
  `);
  await becomeRoleWith('select, delete on audit_records', 'select on settings');
  await own.sql(`
    create temp table settings (setting_key text, setting_value text);
    insert into settings values ('audit_retention_days', '30');
    create function pg_temp.audit_retention_starts_at() returns timestamptz language sql
      as $$ select timestamptz 'infinity' $$;
    set local search_path = pg_temp, public
  `);
  await expect(own.sql('delete from public.audit_records')).rejects.toThrow('keeps its rows');
});

describe('the runtime role', () => {
  const role = () => inject('roles').runtime.name;
  /** Runs a statement as the runtime role, and returns the code of its error. What it did is undone. */
  async function codeOf(statement: string): Promise<string | undefined> {
    await own.sql('savepoint attempt');
    try {
      await own.sql(`set local role "${role()}"`);
      await own.sql(statement);
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      await own.sql('rollback to attempt');
    }
  }

  test('has the rights that it needs on each table, and no others', async () => {
    const rows = await own.sql<{ name: string; rights: string }>(
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
    const tables = await own.sql(
      `select from pg_class where relkind in ('r', 'p')
         and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
    );
    expect(rows).toHaveLength(tables.length);
    const limited = {
      audit_records: 'SELECT',
      audit_anchors: 'SELECT',
      migrations: 'SELECT',
      'graphile_worker.migrations': 'SELECT',
      recorded_changes: 'SELECT INSERT',
    };
    const all = Object.keys(rightsOf).map((name) => [name, 'SELECT INSERT UPDATE DELETE']);
    expect(rightsOf).toEqual({ ...Object.fromEntries(all), ...limited });
  });

  test('may call each function that no trigger calls, and use each sequence', async () => {
    const rows = await own.sql(
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
    'create function graphile_worker.own() returns integer language sql as $$ select 1 $$',
    'create role own',
    'alter table audit_records disable trigger all',
    'alter function publish_changes reset all',
    'drop trigger audit_records_no_update on audit_records',
    `set session_replication_role = replica`,
    `copy issues to program 'cat'`,
  ])('is refused: %s', async (statement) => {
    expect(await codeOf(statement)).toBe('42501');
  });

  test('gets the rights on a table that the owner creates later', async () => {
    await own.sql(`set local role "${inject('roles').owner.name}"`);
    await own.sql('create table later (id integer generated always as identity)');
    await own.sql('reset role');
    expect(await codeOf('insert into later default values')).toBeUndefined();
    expect(await codeOf('select from later for update')).toBeUndefined();
  });
});

test('deploy/roles.sql hands over everything that is in the schema', async () => {
  const file = await readFile('deploy/roles.sql', 'utf8');
  const select = file.slice(file.indexOf("select format('alter schema"), file.lastIndexOf('\\gexec'));
  const found = await own.sql(`select from pg_roles where rolname = 'backoffice_owner'`);
  if (found.length === 0) await own.sql('create role backoffice_owner');
  const statements = async () => await own.sql<{ statement: string }>(select);
  for (const { statement } of await statements()) await own.sql(statement);
  expect(await statements()).toEqual([]);
  const rows = await own.sql(`
    select distinct pg_get_userbyid(relowner) as owner from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S')
  `);
  expect(rows).toEqual([{ owner: 'backoffice_owner' }]);
});
