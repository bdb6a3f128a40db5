import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, password, startTestService, type TestService } from '../../support/http/service.ts';
import { backoffice } from '../../support/terminal/command.ts';

describe('the commands for accounts', () => {
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

  test('change an admin, by e-mail or by ID', async () => {
    expect(await run('admins update ada@example.com --role admin --username Ada')).toMatchObject({
      code: 0,
      stdout: 'Changed ada@example.com.\n',
    });
    const { id } = await admin('ada@example.com');
    expect(await run(`admins update ${id} --email lovelace@example.com`)).toMatchObject({ code: 0 });
    expect(await admin('lovelace@example.com')).toMatchObject({ id, role: 'admin', username: 'Ada' });
    expect(await run(`admins update ${id} --email ada@example.com`)).toMatchObject({ code: 0 });
  });

  test('refuse to change nothing, somebody unknown, or to an e-mail that is taken', async () => {
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

  test('deactivate an admin, who then cannot sign in, and activate it again', async () => {
    expect(await run('admins deactivate ada@example.com')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('admins deactivate ada@example.com --yes')).toMatchObject({
      code: 0,
      stdout: 'ada@example.com is deactivated.\n',
    });
    await expect(openSession(service.url, 'ada@example.com')).rejects.toThrow('401');
    expect(await run('admins activate ada@example.com')).toMatchObject({ code: 0 });
    await openSession(service.url, 'ada@example.com');
  });

  test('reset a password', async () => {
    expect(await run('admins reset-password ada@example.com --password-stdin', 'short')).toMatchObject({
      code: 2,
      stderr: 'backoffice: Password must be at least 6 characters.\n',
    });
    expect(
      await run('admins reset-password ada@example.com --password-stdin', 'a new password'),
    ).toMatchObject({
      code: 0,
      stdout: 'Set a new password for ada@example.com.\n',
    });
    await expect(openSession(service.url, 'ada@example.com', password)).rejects.toThrow('401');
    await openSession(service.url, 'ada@example.com', 'a new password');
  });

  test('list the sessions and end them', async () => {
    const cookie = await openSession(service.url, 'ada@example.com', 'a new password');
    const { stdout } = await run('sessions list');
    expect(stdout).toMatch(/ID +EMAIL +ROLE/);
    expect(stdout).toContain('ada@example.com');
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

  test('delete an admin, after showing whom', async () => {
    expect((await run('admins delete ada@example.com --dry-run')).stdout).toMatch(
      /^Would delete admin ada@example\.com \(admin_\w+\)\.\n$/,
    );
    expect(await run('admins delete ada@example.com')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('admins delete ada@example.com --yes')).toMatchObject({
      code: 0,
      stdout: 'Deleted ada@example.com.\n',
    });
    expect(await run('admins delete ada@example.com --yes')).toMatchObject({ code: 3 });
  });

  test('open a conversation, and print the document of the API', async () => {
    const opened = await run('conversations create --email v@example.com --name Visitor --message Hello');
    expect(opened.stdout).toMatch(/^Opened conversation conv_\d+_[a-z0-9]{1,7}\.\n$/);
    expect(JSON.parse((await run('openapi')).stdout)).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
    });
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
