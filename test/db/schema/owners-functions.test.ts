import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const own = databaseOfThisFile(1);

// What a test makes, a role of the whole server too, is gone with its transaction.
beforeEach(() => own.client.query('begin'));
afterEach(() => own.client.query('rollback'));

/** Goes on as a role that has those rights and no others. */
async function becomeOneWith(...rights: string[]): Promise<void> {
  const role = `"limited_${crypto.randomUUID()}"`;
  await own.client.query(`create role ${role}`);
  for (const right of rights) await own.client.query(`grant ${right} to ${role}`);
  await own.client.query(`set local role ${role}`);
}

test('no function that runs as its owner may be called by everybody', async () => {
  const { rows } = await own.client.query(
    `select oid::regprocedure::text as name, has_function_privilege('public', oid, 'execute') as open,
       coalesce(proconfig::text, '') as settings
     from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ open }) => open)).toEqual([]);
  // Nor does it look for names where somebody else may have put them.
  for (const { settings, name } of rows) expect(settings, name).toContain('search_path=public, pg_temp');
});

describe('a role that may only sign in', () => {
  test.for([
    ['issues_append_count_deltas', 'severity text, status text, category text, created_at timestamptz'],
    ['end_sessions_of_changed_admin', 'id text, is_active integer'],
  ] as const)('cannot hang %s on a table of its own', async ([name, columns]) => {
    await becomeOneWith();
    await own.client.query(`create temp table own (${columns})`);
    const hang = `create trigger own after insert on own referencing new table as new_rows
      for each statement execute function public.${name}()`;
    await expect(own.client.query(hang)).rejects.toThrow(`permission denied for function public.${name}`);
  });

  test('cannot keep others from reporting issues', async () => {
    await becomeOneWith();
    await expect(own.client.query('select rebuild_issue_counters()')).rejects.toThrow('permission denied');
  });
});

test('a role that may write issues has them counted', async () => {
  await becomeOneWith('select, insert, delete on issues');
  await own.client.query(`insert into issues (title) select 'T' from generate_series(1, 600)`);
  await own.client.query('delete from issues where id in (select id from issues limit 100)');
  await own.client.query('reset role');
  const { rows } = await own.client.query(`select issue_statistics('all')::json -> 'totalIssues' as total`);
  expect(rows).toEqual([{ total: 500 }]);
});

describe('a role that may delete audit records', () => {
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
  ] as const)('cannot shorten how long they are kept by %s', async ([, trick]) => {
    await becomeOneWith(...rights);
    await own.client.query(trick);
    await expect(own.client.query('delete from public.audit_records')).rejects.toThrow('keeps its rows');
  });
});
