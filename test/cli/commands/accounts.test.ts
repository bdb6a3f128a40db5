import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enrolApp, statusWith } from '../../support/here/accounts.ts';
import { openSession, password, startTestService, type TestService } from '../../support/here.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { backoffice } from '../../support/run.ts';

describe('backoffice admins', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
    await service.signIn('superadmin', 'grace@example.com');
    await service.signIn('user', 'ada@example.com');
  });

  afterAll(async () => {
    await service.stop();
  });

  const run = (words: string, stdin = '') =>
    backoffice(words.split(' '), { stdin, env: { DATABASE_URL: service.databaseUrl } });

  const admin = async (email: string) => {
    const { admins } = JSON.parse((await run('admins list --json')).stdout);
    return admins.find((each: { email: string }) => each.email === email);
  };

  test('creates an admin with a password from standard input', async () => {
    const args = [
      'admins',
      'create',
      '--email',
      ' New@Example.com',
      '--role',
      'superadmin',
      '--password-stdin',
    ];
    const create = (stdin: string) => backoffice(args, { stdin, env: { DATABASE_URL: service.databaseUrl } });
    const made = await create('a good password\n');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Created superadmin new@example\.com \(admin_\d+_[a-z0-9]{6}\)\.\n$/);
    const again = await create('a good password');
    expect(again).toMatchObject({
      code: 1,
      stderr: 'backoffice: An admin with this email already exists.\n',
    });
  });

  test('refuses a short password, and asks for none without a terminal', async () => {
    const short = await run('admins create --email a@b.c --password-stdin', 'short');
    expect(short).toMatchObject({ code: 2, stderr: 'backoffice: Password must be at least 6 characters.\n' });
    const unasked = await run('admins create --email a@b.c');
    expect(unasked).toMatchObject({ code: 2, stdout: '' });
    expect(unasked.stderr).toContain('--password-stdin');
  });

  test('lists the second factors of an admin, and removes them if that is confirmed', async () => {
    const heidi = await service.signIn('user', 'heidi@example.com');
    await enrolApp(heidi);
    const listed = await run('admins factors heidi@example.com');
    expect(listed.stdout).toMatch(/^authenticator app\t[^\t]*\t\d{4}-\S+Z\t\t\S+\n$/);
    expect(listed.stderr).toBe('10 recovery codes left.\n');
    const unconfirmed = await run('admins reset-factors heidi@example.com');
    expect(unconfirmed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Remove 1 second factor of user heidi@example.com?'),
    });
    const { secret } = await service.createToken('superadmin');
    const remote = await backoffice(['admins', 'reset-factors', heidi.email, '--yes'], {
      env: { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: secret },
    });
    expect(remote).toMatchObject({
      code: 4,
      stderr:
        'backoffice: API tokens cannot remove second factors. Sign in, or use the command on the server.\n',
    });
    const reset = await run('admins reset-factors heidi@example.com --yes');
    expect(reset).toMatchObject({ code: 0, stdout: 'Removed 1 second factor of heidi@example.com.\n' });
    expect(await statusWith(service, heidi.cookie)).toBe(401);
    const { stderr } = await run(`admins factors ${heidi.id}`);
    expect(stderr).toBe('heidi@example.com has no second factor.\n');
  });

  test('rejects a password as a flag', async () => {
    const { code, stderr } = await run('admins create --email a@b.c --password secret');
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--password'");
  });

  test('changes an admin by e-mail or by ID', async () => {
    expect(await run('admins update ada@example.com --role admin --username Ada')).toMatchObject({
      code: 0,
      stdout: 'Changed ada@example.com.\n',
    });
    const { id } = await admin('ada@example.com');
    expect(await run(`admins update ${id} --email lovelace@example.com`)).toMatchObject({ code: 0 });
    expect(await admin('lovelace@example.com')).toMatchObject({ id, role: 'admin', username: 'Ada' });
    expect(await run(`admins update ${id} --email ada@example.com`)).toMatchObject({ code: 0 });
  });

  test('refuses an update without fields, of an unknown admin, or to an e-mail that is taken', async () => {
    expect(await run('admins update ada@example.com')).toMatchObject({
      code: 2,
      stderr: 'backoffice: No fields to update.\n',
    });
    expect(await run('admins update nobody@example.com --role user')).toMatchObject({ code: 3, stdout: '' });
    expect(await run('admins update ada@example.com --email grace@example.com')).toMatchObject({
      code: 1,
      stderr: 'backoffice: An admin with this email already exists.\n',
    });
  });

  test('deactivates an admin, who then cannot sign in, and activates it again', async () => {
    expect(await run('admins deactivate ada@example.com')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('admins deactivate ada@example.com --yes')).toMatchObject({
      code: 0,
      stdout: 'Deactivated ada@example.com.\n',
    });
    await expect(openSession(service.url, 'ada@example.com')).rejects.toThrow('401');
    expect(await run('admins activate ada@example.com')).toMatchObject({ code: 0 });
    await openSession(service.url, 'ada@example.com');
  });

  test('resets a password', async () => {
    expect(await run('admins reset-password ada@example.com --password-stdin', 'short')).toMatchObject({
      code: 2,
      stderr: 'backoffice: Password must be at least 6 characters.\n',
    });
    expect(
      await run('admins reset-password ada@example.com --password-stdin', 'a new password'),
    ).toMatchObject({
      code: 0,
      stdout: 'Set a new password for ada@example.com.\n',
      stderr: '',
    });
    expect(await run('admins reset-password grace@example.com --password-stdin', 'letmein')).toMatchObject({
      code: 0,
      stderr: 'Warning: This password is one of the 10,000 most common. Choose another.\n',
    });
    await expect(openSession(service.url, 'ada@example.com', password)).rejects.toThrow('401');
    await openSession(service.url, 'ada@example.com', 'a new password');
  });

  test('deletes an admin, and shows first which one', async () => {
    expect((await run('admins delete ada@example.com --dry-run')).stdout).toMatch(
      /^Would delete admin ada@example\.com \(admin_\w+\)\.\n$/,
    );
    const dry = await run('admins delete ada@example.com --dry-run --json email,role');
    expect(JSON.parse(dry.stdout)).toEqual({ email: 'ada@example.com', role: 'admin' });
    expect(await run('admins delete ada@example.com')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('admins delete ada@example.com --yes')).toMatchObject({
      code: 0,
      stdout: 'Deleted ada@example.com.\n',
    });
    expect(await run('admins delete ada@example.com --yes')).toMatchObject({ code: 3 });
  });

  test('invites an admin by a link, lists the invitation and revokes it', async () => {
    const invited = await run('admins invite Invited@Example.com --role user');
    expect(invited).toMatchObject({ code: 0, stderr: expect.stringContaining('SMTP_URL is not set') });
    expect(invited.stdout).toMatch(
      /^http:\/\/localhost:\d+\/invitation#token=[\w-]{43}&email=invited%40example\.com\n$/,
    );
    expect((await run('invitations list')).stdout).toMatch(/invited@example\.com\tuser/);
    expect(await run('invitations revoke invited@example.com')).toMatchObject({
      code: 0,
      stdout: 'Revoked the invitation of invited@example.com.\n',
    });
    expect(await run('invitations list')).toMatchObject({ stdout: '', stderr: 'No open invitations.\n' });
    expect(await run('invitations revoke invited@example.com')).toMatchObject({
      code: 3,
      stderr:
        'backoffice: No open invitation invited@example.com. Run `backoffice invitations list` to see all.\n',
    });
  });

  test('prints a link for a new password', async () => {
    await service.signIn('user', 'joan@example.com');
    const made = await run('admins reset-link joan@example.com');
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Pass on this link to joan@example.com.'),
    });
    const token = /^http:\/\/localhost:\d+\/reset-password#token=([\w-]{43})\n$/.exec(made.stdout)?.[1];
    const body = JSON.stringify({ token, password: 'battery staple' });
    const headers = { 'content-type': 'application/json' };
    const confirm = () =>
      service.fetch('/api/admin/password-reset/confirm', { method: 'POST', headers, body });
    expect((await confirm()).status).toBe(200);
    await openSession(service.url, 'joan@example.com', 'battery staple');
    expect((await confirm()).status).toBe(400);
  });
});

describe('backoffice tokens', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await database.drop();
  });

  const run = (args: string[]) => backoffice(args, { env: { DATABASE_URL: database.url } });

  test('creates, lists and revokes tokens, and shows a secret only once', async () => {
    const created = await run(['tokens', 'create', '--name', 'nightly', '--role', 'admin']);
    expect(created.stdout).toMatch(/^bo_[\w-]{43}\n$/);
    const listed = await run(['tokens', 'list']);
    expect(listed.stdout).toMatch(/nightly\tadmin\tvalid/);
    expect(listed.stdout).not.toContain('bo_');
    const [token] = JSON.parse((await run(['tokens', 'list', '--json'])).stdout).tokens;
    expect(await run(['tokens', 'revoke', String(token.id), '--yes'])).toMatchObject({
      code: 0,
      stdout: `Revoked token ${token.id}.\n`,
    });
    expect((await run(['tokens', 'list'])).stdout).toMatch(/nightly\tadmin\trevoked/);
    expect(await run(['tokens', 'revoke', '999', '--yes'])).toMatchObject({ code: 3 });
  });

  test('creates tokens that never expire, or expire after some days', async () => {
    const create = ['tokens', 'create', '--json', '--name'];
    const forever = await run([...create, 'forever', '--expires', 'never']);
    const { id, expires_at } = JSON.parse(forever.stdout);
    expect(expires_at).toBeNull();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const made = await run([...create, 'for a year', '--expires', '365']);
    // The day may turn between the two.
    expect([inDays(364), inDays(365)]).toContain(JSON.parse(made.stdout).expires_at.slice(0, 10));
    expect(await run(['tokens', 'revoke', String(id), '--yes', '--json'])).toMatchObject({
      code: 0,
      stdout: '{"success":true}\n',
    });
  });
});

describe('backoffice sessions', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
    await service.signIn('user', 'ada@example.com');
  });

  afterAll(async () => {
    await service.stop();
  });

  const run = (words: string, stdin = '') =>
    backoffice(words.split(' '), { stdin, env: { DATABASE_URL: service.databaseUrl } });

  test('lists sessions and ends them', async () => {
    const cookie = await openSession(service.url, 'ada@example.com');
    const { stdout } = await run('sessions list');
    expect(stdout).toMatch(/^\S+\tada@example\.com\tuser\t\d{4}-\S+Z\t\d{4}-\S+Z$/m);
    expect(await run('sessions revoke ada@example.com')).toMatchObject({ code: 2, stdout: '' });
    const ended = await run('sessions revoke ada@example.com --yes');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toMatch(/^Ended \d+ sessions? of ada@example\.com\.\n$/);
    expect((await service.fetch('/api/admin/session', { headers: { cookie } })).status).toBe(401);
    expect(await run('sessions revoke ada@example.com --yes')).toMatchObject({
      code: 3,
      stderr: 'backoffice: No sessions of ada@example.com. Run `backoffice sessions list` to see all.\n',
    });
  });
});
