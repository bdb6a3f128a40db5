import { beforeAll, describe, expect, test } from 'vitest';
import { enrolApp, statusWith } from '../../support/here/accounts.ts';
import { openSession } from '../../support/here.ts';
import { commandsHere, done, failed, failedLike, runIn } from '../commands-here.ts';

const here = commandsHere();
const { run, runWith, printed } = here;

beforeAll(() => here.service.signIn('user', 'ada@example.com'));

describe('backoffice admins', () => {
  const admin = async (email: string) =>
    (await printed('admins list --json')).admins.find((each: { email: string }) => each.email === email);
  const taken = failed(1, 'An admin with this email already exists.');
  const short = failed(2, 'Password must be at least 6 characters.');

  test('creates an admin with a password from standard input', async () => {
    const create = (stdin: string) =>
      runWith(stdin, 'admins create --role superadmin --password-stdin --email', ' New@Example.com');
    const made = await create('a good password\n');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Created superadmin new@example\.com \(admin_\d+_[a-z0-9]{6}\)\.\n$/);
    expect(await create('a good password')).toEqual(taken);
    expect(await create('short')).toMatchObject(short);
  });

  test('asks for no password without a terminal, and takes none as a flag', async () => {
    const unasked = await run('admins create --email a@b.c');
    expect(unasked).toMatchObject(failedLike(2, '--password-stdin'));
    const flagged = await run('admins create --email a@b.c --password secret');
    expect(flagged).toMatchObject(failedLike(2, "unknown option '--password'"));
  });

  test('lists the second factors of an admin, and removes them if that is confirmed', async () => {
    const heidi = await here.service.signIn('user', 'heidi@example.com');
    await enrolApp(heidi);
    const listed = await run('admins factors heidi@example.com');
    expect(listed.stdout).toMatch(/^authenticator app\t[^\t]*\t\d{4}-\S+Z\t\t\S+\n$/);
    expect(listed.stderr).toBe('10 recovery codes left.\n');
    expect(await run('admins reset-factors heidi@example.com')).toMatchObject(
      failedLike(2, 'Remove 1 second factor of user heidi@example.com?'),
    );
    const remotely = runIn(() => here.env('through a server'));
    expect(await remotely('admins reset-factors heidi@example.com --yes')).toMatchObject(
      failed(4, 'API tokens cannot remove second factors. Sign in, or use the command on the server.'),
    );
    const reset = await run('admins reset-factors heidi@example.com --yes');
    expect(reset).toMatchObject(done('Removed 1 second factor of heidi@example.com.'));
    expect(await statusWith(here.service, heidi.cookie)).toBe(401);
    const { stderr } = await run(`admins factors ${heidi.id}`);
    expect(stderr).toBe('heidi@example.com has no second factor.\n');
  });

  test('changes an admin by e-mail or by ID', async () => {
    expect(await run('admins update ada@example.com --role admin --username Ada')).toMatchObject(
      done('Changed ada@example.com.'),
    );
    const { id } = await admin('ada@example.com');
    expect(await run(`admins update ${id} --email lovelace@example.com`)).toMatchObject({ code: 0 });
    expect(await admin('lovelace@example.com')).toMatchObject({ id, role: 'admin', username: 'Ada' });
    expect(await run(`admins update ${id} --email ada@example.com`)).toMatchObject({ code: 0 });
    expect(await run('admins update nobody@example.com --role user')).toMatchObject({ code: 3, stdout: '' });
    expect(await run('admins update ada@example.com --email grace@example.com')).toEqual(taken);
    expect(await run('admins update ada@example.com')).toMatchObject(failed(2, 'No fields to update.'));
  });

  test('deactivates an admin, who then cannot sign in, and activates it again', async () => {
    expect(await run('admins deactivate ada@example.com --yes')).toMatchObject(
      done('Deactivated ada@example.com.'),
    );
    await expect(openSession(here.service.url, 'ada@example.com')).rejects.toThrow('401');
    expect(await run('admins activate ada@example.com')).toMatchObject({ code: 0 });
    await openSession(here.service.url, 'ada@example.com');
  });

  test('lists sessions and ends them', async () => {
    const cookie = await openSession(here.service.url, 'ada@example.com');
    const { stdout } = await run('sessions list');
    expect(stdout).toMatch(/^\S+\tada@example\.com\tadmin\t\d{4}-\S+Z\t\d{4}-\S+Z$/m);
    expect(await run('sessions revoke ada@example.com')).toMatchObject({ code: 2, stdout: '' });
    const ended = await run('sessions revoke ada@example.com --yes');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toMatch(/^Ended \d+ sessions? of ada@example\.com\.\n$/);
    expect(await statusWith(here.service, cookie)).toBe(401);
    expect(await run('sessions revoke ada@example.com --yes')).toMatchObject(
      failed(3, 'No sessions of ada@example.com. Run `backoffice sessions list` to see all.'),
    );
  });

  test('resets a password', async () => {
    const reset = (name: string, password: string) =>
      runWith(password, `admins reset-password ${name}@example.com --password-stdin`);
    expect(await reset('ada', 'short')).toMatchObject(short);
    expect(await reset('ada', 'a new password')).toEqual({
      code: 0,
      stdout: 'Set a new password for ada@example.com.\n',
      stderr: '',
    });
    expect(await reset('grace', 'letmein')).toMatchObject({
      code: 0,
      stderr: 'Warning: This password is one of the 10,000 most common. Choose another.\n',
    });
    await expect(openSession(here.service.url, 'ada@example.com')).rejects.toThrow('401');
    await openSession(here.service.url, 'ada@example.com', 'a new password');
  });

  test('deletes an admin, and shows first which one', async () => {
    expect((await run('admins delete ada@example.com --dry-run')).stdout).toMatch(
      /^Would delete admin ada@example\.com \(admin_\w+\)\.\n$/,
    );
    const dry = await printed('admins delete ada@example.com --dry-run --json email,role');
    expect(dry).toEqual({ email: 'ada@example.com', role: 'admin' });
    expect(await run('admins delete ada@example.com')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('admins delete ada@example.com --yes')).toMatchObject(done('Deleted ada@example.com.'));
    expect(await run('admins delete ada@example.com --yes')).toMatchObject({ code: 3 });
  });

  test('invites an admin by a link, lists the invitation and revokes it', async () => {
    const invited = await run('admins invite Invited@Example.com --role user');
    expect(invited).toMatchObject({ code: 0, stderr: expect.stringContaining('SMTP_URL is not set') });
    expect(invited.stdout).toMatch(
      /^http:\/\/localhost:\d+\/invitation#token=[\w-]{43}&email=invited%40example\.com\n$/,
    );
    expect((await run('invitations list')).stdout).toMatch(/invited@example\.com\tuser/);
    expect(await run('invitations revoke invited@example.com')).toMatchObject(
      done('Revoked the invitation of invited@example.com.'),
    );
    expect(await run('invitations list')).toMatchObject({ stdout: '', stderr: 'No open invitations.\n' });
    expect(await run('invitations revoke invited@example.com')).toMatchObject(
      failed(3, 'No open invitation invited@example.com. Run `backoffice invitations list` to see all.'),
    );
  });

  test('prints a link for a new password', async () => {
    await here.service.signIn('user', 'joan@example.com');
    const made = await run('admins reset-link joan@example.com');
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Pass on this link to joan@example.com.'),
    });
    const token = /^http:\/\/localhost:\d+\/reset-password#token=([\w-]{43})\n$/.exec(made.stdout)?.[1];
    const body = JSON.stringify({ token, password: 'battery staple' });
    const headers = { 'content-type': 'application/json' };
    const confirm = { method: 'POST', headers, body };
    expect((await here.service.fetch('/api/admin/password-reset/confirm', confirm)).status).toBe(200);
    await openSession(here.service.url, 'joan@example.com', 'battery staple');
  });
});

test('creates, lists and revokes tokens that expire or not, and shows a secret only once', async () => {
  const created = await run('tokens create --name nightly --role admin');
  expect(created.stdout).toMatch(/^bo_[\w-]{43}\n$/);
  const listed = await run('tokens list');
  expect(listed.stdout).toMatch(/nightly\tadmin\tvalid/);
  expect(listed.stdout).not.toContain('bo_');
  const [token] = (await printed('tokens list --json')).tokens;
  expect(await run(`tokens revoke ${token.id} --yes`)).toMatchObject(done(`Revoked token ${token.id}.`));
  expect((await run('tokens list')).stdout).toMatch(/nightly\tadmin\trevoked/);
  expect(await run('tokens revoke 999 --yes')).toMatchObject({ code: 3 });
  const forever = await printed('tokens create --json --expires never --name forever');
  expect(forever.expires_at).toBeNull();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const made = await printed('tokens create --json --expires 365 --name yearly');
  // The day may turn between the two.
  expect([inDays(364), inDays(365)]).toContain(made.expires_at.slice(0, 10));
  expect((await run(`tokens revoke ${forever.id} --yes --json`)).stdout).toBe('{"success":true}\n');
});
