import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const own = databaseOfThisFile(1);

// Everything that a test creates, including roles of the server, is rolled back with its transaction.
beforeEach(() => own.client.query('begin'));
afterEach(() => own.client.query('rollback'));

/** Switches to a new role that has only the given rights. */
async function becomeRoleWith(...rights: string[]): Promise<void> {
  const role = `"limited_${crypto.randomUUID()}"`;
  await own.client.query(`create role ${role}`);
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
