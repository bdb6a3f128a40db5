import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { judgeRole } from '../../../cli/doctor/server-facts.ts';
import { withConnection } from '../../../src/db/connection/own-connection.ts';
import { inspectRole } from '../../../src/db/roles/inspect-role.ts';
import { makeFormerSchema } from '../../db/migrate/schemas.ts';
import { queryRows } from '../../support/postgres/seeded.ts';
import { withLogin } from '../../support/postgres/server.ts';
import { createTestDatabase, databaseHere, type TestDatabase } from '../../support/postgres.ts';
import { backoffice } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { containing, type Environment, examined as examinedIn } from '../commands-here.ts';

const SESSION_SECRET = 'the secret of the cookies in the tests';

/** Runs the doctor in the environment of a service. */
const examined = (env: Environment) => examinedIn({ SESSION_SECRET, ...env });

const superadmin = `insert into admins (id, email, username, role) values ('admin_1', 'a@b.c', 'a', 'superadmin')`;

/** Returns the detail of a finding and, after an arrow, the fix. */
const textOf = ({ detail, fix }: Partial<Finding> = {}) => [detail, fix].filter(Boolean).join(' → ');

/** Matches a text in which an ellipsis stands for any text. */
const patternOf = (text: string) =>
  new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*')}$`);

describe('backoffice doctor', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
    await sql(superadmin);
  });

  afterEach(async () => {
    await database.drop();
  });

  const sql = (text: string) => queryRows(database, text);
  const examinedHere = () => examined({ DATABASE_URL: database.url });

  test('passes if nothing is wrong, and says what applies', async () => {
    const { code, findings } = await examinedHere();
    expect(code).toBe(0);
    const passed = ['node', 'configuration', 'session secret', 'database', 'connections', 'clock', 'mail'];
    const ofData = ['migrations', 'search', 'superadmin', 'issue counts', 'token usage sums', 'timezone'];
    for (const check of [...passed, ...ofData]) expect(findings[check]?.state, check).toBe('ok');
    expect(findings).toMatchObject({
      roles: { state: 'ok', detail: containing('STRICT_ROLES=1') },
      retention: { detail: 'keeps events for 7 days, history for 365 days, and all audit records' },
      branding: { detail: 'the default name and colours' },
      'second factor': { detail: 'optional; 0 admins have one' },
      mails: { detail: 'none waiting' },
    });
  });

  /** Stores settings. */
  const set = (settings: Record<string, string>) =>
    Object.entries(settings)
      .map(([key, value]) => `insert into settings values ('${key}', '${value}')`)
      .join(';');
  const unchecked = (table: string) => `alter table ${table} disable trigger user`;
  const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');

  // What is found of each check: its detail and, after an arrow, the fix. An ellipsis stands for any text.
  test.for<[state: Finding['state'], what: string, changes: string[], found: Record<string, string>]>([
    [
      'ok',
      'settings and mails',
      [
        `update admins set password_hash = 'y', generated_password_hash = 'x'`,
        set({ timezone: 'america/new_york', audit_retention_days: '30', events_retention_days: '1' }),
        set({ site_name: 'Ada & Co', accent_color: '#ffee88', site_logo: `data:image/png;base64,${png}` }),
        set({ sign_in_second_factor: '{"superadmin":"required"}' }),
        `select graphile_worker.add_job('send_mail', '{}')`,
      ],
      {
        'first password': 'no generated password is in use',
        'e-mails': 'each has one account',
        labels: 'each is there once',
        tokens: 'none has more rights than it used',
        timezone: 'America/New_York',
        retention: 'keeps events for 1 day, history for 365 days, and audit records for 30 days',
        branding:
          'the name "Ada & Co", a logo (image/png) of 1 kB, the accent #ffee88 (for contrast, #… in the light theme)',
        'second factor': 'required for superadmin, optional for admin, optional for user; 0 admins have one',
        mails: '1 waiting',
      },
    ],
    [
      'warning',
      'settings that cannot be read, a first password, two forms of one text, and mails that failed',
      [
        `update admins set password_hash = 'x', generated_password_hash = 'x'`,
        `insert into admins (id, email, username) values ('one', 'ada@m\u00fcnchen.example', ''), ('two', 'ada@xn--mnchen-3ya.example', '')`,
        `update admins set is_active = 0 where id = 'two'`,
        `insert into api_tokens (name, token_hash, role, last_used_at) values ('website', sha256('x'), 'admin', now())`,
        `insert into labels (name) values ('Cafe\u0301'), ('caf\u00e9')`,
        set({ token_prices: '{"small":{"input":1}}', token_budgets: '[', timezone: 'Foo/Bar' }),
        set({ audit_retention_days: '29', events_retention_days: '0', sign_in_second_factor: 'yes' }),
        set({ site_logo: 'data:image/gif;base64,R0lGODlh' }),
        `select graphile_worker.add_job('send_mail', '{}')`,
        `update graphile_worker._private_jobs set last_error = 'Connection refused by the mail server.'`,
        `insert into failed_mails (id, kind, recipient, error)
        values (gen_random_uuid(), 'invitation', 'a@b.c', 'It could not be sent in time.')`,
        `with conversation as (
          insert into conversations (visitor_email, visitor_name) values ('a@b.c', 'A') returning id
        ), message as (
          insert into conversation_messages (conversation_id, sender_type, content) select id, 'admin', 'Yes' from conversation
          returning id
        )
        insert into message_deliveries (message_id, mail_id, error, changed_at)
        select id, 'x', 'It answered: 451 later', now() - interval '20 minutes' from message`,
      ],
      {
        'visitor mails':
          '1 reply to visitors not sent yet, the oldest for 20 minutes (It answered: 451 later) → …SMTP_URL…',
        'first password':
          'a@b.c still has the password that was generated at the first start → Run `backoffice admins reset-password a@b.c`.',
        roles: 'each of the 2 active admins can set the password of every other… → …STRICT_ROLES=1…',
        'e-mails':
          'accounts with the same address: ada@m\u00fcnchen.example (one) = ada@xn--mnchen-3ya.example (two) → …backoffice admins delete <id>…',
        labels:
          "there twice, in letters that look the same: caf\u00e9 → Make each one label: `backoffice labels rename $'Cafe\\U00000301' $'caf\\U000000e9'`.",
        tokens:
          'only ever sent data in, and may do more: website (1) → …backoffice tokens create --scope intake…',
        'prices and budgets': '…price of "small"…token_budgets is not a JSON object… → …',
        timezone:
          'unknown time zone "Foo/Bar": months and days are in UTC → Run `backoffice settings set timezone` with a name such as Europe/Paris.',
        retention:
          'audit_retention_days is 29, below the minimum: 30 is used. ' +
          'events_retention_days is not a number of days from 1: 7 is used. → …backoffice settings set…',
        branding:
          'The setting site_logo must be a PNG, SVG or WebP picture as a data: address in Base64. It counts as unset. → …/settings…',
        'second factor': '…It counts as optional.… → …',
        mails:
          '1 mail given up in the last week (It could not be sent in time.); ' +
          '1 mail failed and will be tried again (Connection refused by the mail server.) → …SMTP_URL…',
      },
    ],
    [
      'failed',
      'derived data that is wrong, and no indexes of searches',
      [
        'drop extension pg_trgm cascade',
        ...['issues', 'conversation_messages', 'token_usage_records'].map(unchecked),
        `insert into issues (title) values ('uncounted')`,
        `insert into token_usage_records (model) values ('uncounted')`,
        `insert into conversations (id, visitor_email, visitor_name) values ('conv', 'v@example.com', 'V')`,
        `insert into conversation_messages (conversation_id, sender_type, content) values ('conv', 'visitor', 'Hi')`,
      ],
      {
        search:
          'the extension pg_trgm or an index of it is missing → …`create extension pg_trgm` in this database…',
        'issue counts': '… → Run `backoffice recompute issues`.',
        'conversation previews': '… → Run `backoffice recompute conversations`.',
        'token usage sums': '… → Run `backoffice recompute usage`.',
      },
    ],
    [
      'failed',
      'an edited migration',
      ["update migrations set sha256 = 'other' where name like '0003%'"],
      { migrations: 'edited after they were applied: 0003_admins → …Restore…' },
    ],
    [
      'failed',
      'a migration of another build',
      ["insert into migrations (name, run_on, sha256) values ('9999_future', now(), 'x')"],
      { migrations: '…unknown to this build: 9999_future… → …' },
    ],
  ])('%s: a database with %s', async ([state, , changes, found]) => {
    await sql(changes.join(';'));
    const { code, findings } = await examinedHere();
    for (const [check, said] of Object.entries(found)) {
      expect(findings[check]?.state, check).toBe(state);
      expect(textOf(findings[check]), check).toMatch(patternOf(said));
    }
    expect(code).toBe(state === 'failed' ? 1 : 0);
  });

  test('says what the role of the service may do that it should not', async () => {
    const login = { name: `role_${crypto.randomUUID()}`, password: crypto.randomUUID() };
    const [role, name] = [`"${login.name}"`, `"${new URL(database.url).pathname.slice(1)}"`];
    const judged = async () => judgeRole(await withConnection(withLogin(database.url, login), inspectRole));
    await sql(`create role ${role} login password '${login.password}'`);
    try {
      expect(await judged()).toMatchObject({
        state: 'failed',
        detail: expect.stringMatching(/has no rights on \d+ tables, such as /),
      });
      await sql(`grant "${inject('roles').runtime.name}" to ${role}`);
      expect(await judged()).toMatchObject({ state: 'ok' });
      const superuser = new URL(database.url).username;
      for (const [right = '', excess = ''] of [
        [`"${superuser}"`, `may become the superuser ${superuser}`],
        [`"${inject('roles').owner.name}"`, 'owns the tables'],
        ['pg_write_server_files', 'pg_write_server_files'],
        ['insert, trigger on audit_records', 'audit_records (INSERT, TRIGGER)'],
        [`temporary on database ${name}`, 'temporary tables'],
      ]) {
        await sql(`grant ${right} to ${role}`);
        expect(await judged()).toMatchObject({ state: 'warning', detail: containing(excess) });
        await sql(`revoke ${right} from ${role}`);
      }
      expect(await judged()).toMatchObject({ state: 'ok' });
      await sql(`alter role ${role} createrole createdb bypassrls replication`);
      expect((await judged()).detail).toMatch(
        /creates roles; creates databases; bypasses row-level security; copies the whole server/,
      );
    } finally {
      await sql(`drop owned by ${role}; drop role ${role}`);
    }
  });

  test('prints a line for each check with the fix below, or only the names', async () => {
    await sql('update admins set is_active = 0');
    const lines =
      /^ok {4}node {10,}24\.(.*\n)*FAIL {2}superadmin +there is no active superadmin\n +Run `backoffice admins create /;
    for (const [options, printed] of [
      [[], lines],
      [['--quiet'], /^node\n(.+\n)*superadmin\n/],
    ] as const) {
      const end = await backoffice(['doctor', ...options], {
        env: { DATABASE_URL: database.url, SESSION_SECRET },
      });
      expect(end).toMatchObject({ code: 1, stdout: expect.stringMatching(printed) });
      expect(end.stderr).toMatch(/^backoffice: 1 of \d+ checks failed\.\n$/);
    }
  });

  test('reports a schema that is too old', async () => {
    await makeFormerSchema(database.url, 47);
    const { code, findings } = await examinedHere();
    expect(textOf(findings.migrations)).toBe(
      'older than those of Backoffice 0.2.0 → Upgrade to 0.2.0 first, then to this version.',
    );
    expect(findings['the rest']?.detail).toMatch(/^\d+ not checked: the schema does not match this build$/);
    expect(code).toBe(1);
  });
});

describe('the environment of backoffice doctor', () => {
  const own = databaseHere();
  beforeAll(() => own.sql(superadmin));

  const nowhere = 'postgres://x@127.0.0.1:1/none';
  const https = { BACKOFFICE_PUBLIC_URL: 'https://backoffice.example.com' };
  const poolerWith = (options: string) => ({
    DATABASE_POOL_URL: `${own.url}?options=${encodeURIComponent(options)}`,
  });

  test.each<[check: string, state: string, said: string, env: () => Record<string, string>]>([
    ['proxy', 'warning', 'TRUST_PROXY', () => https],
    ['proxy', 'not checked', '', () => ({ ...https, TRUST_PROXY: '1' })],
    ['roles', 'ok', '"strict"', () => ({ BACKOFFICE_STRICT_ROLES: '1' })],
    ['read replica', 'warning', 'it is not a standby"', () => ({ DATABASE_READ_URL: own.url })],
    ['pooler', 'failed', '', () => ({ DATABASE_POOL_URL: nowhere })],
    ['pooler', 'warning', 'Set statement_timeout in its `connect', () => ({ DATABASE_POOL_URL: own.url })],
    ['pooler', 'warning', 'Set lock_timeout in its `connect', () => poolerWith('-c statement_timeout=8000')],
    ['pooler', 'ok', '', () => poolerWith('-c statement_timeout=8000 -c lock_timeout=1800')],
    ['configuration', 'warning', 'TOKN', () => ({ BACKOFFICE_TOKN: 'x' })],
  ])('makes the check of the %s %s: %s', async (check, state, said, env) => {
    const { code, findings } = await examined({ DATABASE_URL: own.url, ...env() });
    const finding = findings[check];
    expect(finding?.state ?? 'not checked').toBe(state);
    expect(JSON.stringify(finding) ?? '').toContain(said);
    expect(code).toBe(state === 'failed' ? 1 : 0);
  });

  test.each([
    ['a port without a listener', { host: '127.0.0.1:1' }, 'nothing listens there'],
    ['a wrong password', { password: 'hidden' }, 'wrong user or password'],
    ['an unknown database', { pathname: '/nothing' }, 'no such database'],
  ])('reports %s', async (_what, change, reason) => {
    const { href } = Object.assign(new URL(own.url), change);
    const { code, findings, stdout } = await examined({ DATABASE_URL: href });
    expect(findings).toMatchObject({
      database: { state: 'failed', detail: containing(reason), fix: containing('DATABASE_URL') },
      'the rest': {
        state: 'warning',
        detail: expect.stringMatching(/^\d\d not checked: the database is unreachable$/),
      },
    });
    expect(stdout).not.toContain(new URL(href).password);
    expect(code).toBe(1);
  });

  test('names every invalid variable, and skips the rest', async () => {
    const { code, checks } = await examined({ DATABASE_URL: own.url, PORT: 'eighty', TRUST_PROXY: 'all' });
    expect(checks.slice(1).map(({ detail }) => detail)).toEqual([
      'PORT must be a whole number from 0 to 65535.',
      'TRUST_PROXY must be a whole number from 0 to 10.',
      'not checked: fix the configuration first',
    ]);
    expect(code).toBe(1);
  });

  test('does not create an embedded database', async () => {
    const data = await temporaryFolder();
    const { code, findings } = await examined({ BACKOFFICE_DATA: data });
    expect(findings).toMatchObject({
      'the rest': { detail: expect.stringMatching(/^\d\d not checked: there is no database yet$/) },
      database: { state: 'warning', fix: containing('backoffice up') },
      disk: { detail: containing('MB free') },
    });
    expect(await readdir(data)).toEqual([]);
    expect(code).toBe(0);

    await symlink(join(data, 'nowhere'), join(data, 'link'));
    await writeFile(join(data, 'file'), '', { mode: 0o755 });
    const impossible = [join(data, 'link'), join(data, 'file')];
    if (process.platform === 'linux') impossible.push('/proc/x');
    for (const folder of impossible) {
      const { code, findings } = await examined({ BACKOFFICE_DATA: folder });
      expect(code).toBe(1);
      expect(textOf(findings['data directory'])).toMatch(patternOf('cannot write to … → …'));
    }
  });
});
