import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { enrolApp, statusWith } from '../../support/here/accounts.ts';
import { openSession } from '../../support/here.ts';
import { executable, startBackoffice, withoutEnvironment } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  argumentsOf,
  checksOf,
  commandsHere,
  containing,
  done,
  failed,
  failedLike,
  runIn,
} from '../commands-here.ts';

const here = commandsHere();
const { run, runWith, succeeds, fails, printed } = here;

beforeAll(() => here.service.signIn('user', 'ada@example.com'));

describe('backoffice admins', () => {
  const admin = async (email: string) =>
    (await printed('admins list --json')).admins.find((each: { email: string }) => each.email === email);
  const taken = failed(1, 'An admin with this email already exists.');

  test('creates an admin with a password from standard input, and takes none as a flag', async () => {
    const create = (stdin: string) =>
      runWith(stdin, 'admins create --role superadmin --password-stdin --email', ' New@Example.com');
    const made = await create('a good password\n');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Created superadmin new@example\.com \(admin_\d+_[a-z0-9]{6}\)\.\n$/);
    expect(await create('a good password')).toEqual(taken);
    expect(await create('short')).toEqual(failed(2, 'Password must be at least 6 characters.'));
    await fails(2, 'admins create --email a@b.c', containing('--password-stdin'));
    const flag = containing("unknown option '--password'");
    await fails(2, 'admins create --email a@b.c --password secret', flag);
  });

  test('lists the second factors of an admin, and removes them if that is confirmed', async () => {
    const heidi = await here.service.signIn('user', 'heidi@example.com');
    await enrolApp(heidi);
    const app = /^authenticator app\t[^\t]*\t\d{4}-\S+Z\t\t\S+\n$/;
    await succeeds('admins factors heidi@example.com', app, '10 recovery codes left.');
    const reset = 'admins reset-factors heidi@example.com';
    await fails(2, reset, containing('Remove 1 second factor of user heidi@example.com?'));
    const remotely = checksOf(runIn(() => here.env('through a server')));
    const tokens = 'API tokens cannot remove second factors. Sign in, or use the command on the server.';
    await remotely.fails(4, `${reset} --yes`, tokens);
    await succeeds(`${reset} --yes`, 'Removed 1 second factor of heidi@example.com.');
    expect(await statusWith(here.service, heidi.cookie)).toBe(401);
    await succeeds(`admins factors ${heidi.id}`, '', 'heidi@example.com has no second factor.');
  });

  test('changes an admin by e-mail or by ID', async () => {
    await succeeds('admins update ada@example.com --role admin --username Ada', 'Changed ada@example.com.');
    const { id } = await admin('ada@example.com');
    await succeeds(`admins update ${id} --email lovelace@example.com`);
    expect(await admin('lovelace@example.com')).toMatchObject({ id, role: 'admin', username: 'Ada' });
    await succeeds(`admins update ${id} --email ada@example.com`);
    await succeeds(`admins update ${id} --email ada@xn--mnchen-3ya.example`);
    await succeeds(
      'admins update ada@M\u00fcnchen.example --email ada@example.com',
      'Changed ada@m\u00fcnchen.example.',
    );
    await fails(3, 'admins update nobody@example.com --role user');
    expect(await run('admins update ada@example.com --email grace@example.com')).toEqual(taken);
    await fails(2, 'admins update ada@example.com', 'No fields to update.');
  });

  test('deactivates an admin, who then cannot sign in, activates it again, and ends its sessions', async () => {
    await succeeds('admins deactivate ada@example.com --yes', 'Deactivated ada@example.com.');
    await expect(openSession(here.service.url, 'ada@example.com')).rejects.toThrow('401');
    await succeeds('admins activate ada@example.com');
    const cookie = await openSession(here.service.url, 'ada@example.com');
    await succeeds('sessions list', /^\S+\tada@example\.com\tadmin\t\d{4}-\S+Z\t\d{4}-\S+Z$/m);
    const revoke = 'sessions revoke ada@example.com';
    await fails(2, revoke);
    await succeeds(`${revoke} --yes`, /^Ended \d+ sessions? of ada@example\.com\.\n$/);
    expect(await statusWith(here.service, cookie)).toBe(401);
    for (let n = 0; n < 2; n++) await openSession(here.service.url, 'ada@example.com');
    const [{ id: last }] = (await printed('sessions list --search ada@example.com --json')).sessions.slice(
      -1,
    );
    await here.sql(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before delete on sessions for each row when (old.sid = '${last}') execute function refuse();
    `);
    const { stderr } = await run(`${revoke} --yes`);
    expect(stderr).toMatch(/^Ended 1 of 2 sessions of ada@example\.com\.\nbackoffice: /);
    await here.sql('drop trigger refuse on sessions');
    await succeeds(`${revoke} --yes`, 'Ended 1 session of ada@example.com.');
    const none = 'No sessions of ada@example.com. Run `backoffice sessions list` to see all.';
    await fails(3, `${revoke} --yes`, none);
  });

  test('resets a password', async () => {
    const reset = (name: string, password: string) =>
      runWith(password, `admins reset-password ${name}@example.com --password-stdin`);
    const reported = done('Set a new password for ada@example.com.');
    expect(await reset('ada', 'a new password')).toEqual({ ...reported, stderr: '' });
    expect(await reset('heidi', 'letmein')).toMatchObject({
      code: 0,
      stderr: 'Warning: This password is one of the 10,000 most common. Choose another.\n',
    });
    await expect(openSession(here.service.url, 'ada@example.com')).rejects.toThrow('401');
    await openSession(here.service.url, 'ada@example.com', 'a new password');
  });

  test('deletes an admin, and shows first which one', async () => {
    await succeeds(
      'admins delete ada@example.com --dry-run',
      /^Would delete admin ada@example\.com \(admin_\w+\)\.\n$/,
    );
    await fails(2, 'admins delete ada@example.com');
    await succeeds('admins delete ada@example.com --yes', 'Deleted ada@example.com.');
    await fails(3, 'admins delete ada@example.com --yes');
  });

  test('invites an admin by a link, lists the invitation and revokes it', async () => {
    await succeeds(
      'admins invite Invited@Example.com --role user',
      /^http:\/\/localhost:\d+\/invitation#token=[\w-]{43}&email=invited%40example\.com\n$/,
      containing('SMTP_URL is not set'),
    );
    await succeeds('invitations list', /invited@example\.com\tuser/);
    const revoke = 'invitations revoke invited@example.com';
    await succeeds(revoke, 'Revoked the invitation of invited@example.com.');
    await succeeds('invitations list', '', 'No open invitations.');
    const none = 'No open invitation invited@example.com. Run `backoffice invitations list` to see all.';
    await fails(3, revoke, none);
  });

  test('prints a link for a new password', async () => {
    await here.service.signIn('user', 'joan@example.com');
    const { stdout } = await succeeds(
      'admins reset-link joan@example.com',
      /^http:\/\/localhost:\d+\/reset-password#token=[\w-]{43}\n$/,
      containing('Pass on this link to joan@example.com.'),
    );
    const [, token = ''] = stdout.trim().split('token=');
    await here.client.call('passwordReset.confirm', { token, password: 'battery staple' });
    await openSession(here.service.url, 'joan@example.com', 'battery staple');
  });
});

test('creates, lists and revokes tokens that expire or not, and shows a secret only once', async () => {
  await succeeds('tokens create --name nightly --role admin', /^bo_[\w-]{43}\n$/);
  const listed = await succeeds('tokens list', /nightly\tadmin\tvalid/);
  expect(listed.stdout).not.toContain('bo_');
  const [token] = (await printed('tokens list --json')).tokens;
  await succeeds(`tokens revoke ${token.id} --yes`, `Revoked token ${token.id}.`);
  await succeeds('tokens list', /nightly\tadmin\trevoked/);
  await fails(3, 'tokens revoke 999 --yes');
  const forever = await printed('tokens create --json --expires never --name forever');
  expect(forever).toEqual({
    success: true,
    token: expect.any(Object),
    secret: expect.stringMatching(/^bo_/),
  });
  expect(forever.token.expires_at).toBeNull();
  const yearly = await printed('tokens create --json token,secret --expires 365 --name yearly');
  expect((Date.parse(yearly.token.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(365, 1);
});

describe('backoffice login and contexts', () => {
  const email = 'grace@example.com';
  let folder: string;

  const run = (words: string, { stdin = '', env = {} } = {}) =>
    backoffice(argumentsOf(words), { stdin, env: { BACKOFFICE_CONFIG: folder, ...env } });
  const { succeeds, fails } = checksOf(run);
  const printed = async (words: string, options = {}) => JSON.parse((await run(words, options)).stdout);

  /** Signs in with a new token of the superadmin, and returns it. */
  async function signIn(
    name: string,
    tokenName = name,
    options = '',
  ): Promise<{ id: number; secret: string }> {
    const made = { name: tokenName, role: 'admin' } as const;
    const { token, secret } = await here.client.call('tokens.create', made);
    const login = `login ${here.service.url} --name ${name} --with-token${options}`;
    expect(await run(login, { stdin: `${secret}\n` })).toMatchObject({ code: 0 });
    return { id: token.id, secret };
  }

  test('signs in by a code that a person approves, works through the server, and signs out', async () => {
    folder = await temporaryFolder();
    const { client } = here;
    const login = startBackoffice(['login', here.service.url, '--no-browser'], {
      env: { BACKOFFICE_CONFIG: folder },
    });
    const [, user_code = ''] = await login.shows(/Your code is (\S+)\.[\s\S]*\/device\?code=\1/);
    await client.call('device.approve', { user_code, role: 'admin', read_only: true });
    const { host } = new URL(here.service.url);
    expect(await login.finished).toMatchObject({
      code: 0,
      stdout: `Signed in to ${here.service.url} as ${email} (admin). The context ${host} is in use.\n`,
    });
    expect((await stat(join(folder, 'contexts.json'))).mode & 0o777).toBe(0o600);
    await succeeds('whoami', `${email}, admin, only for reading, on ${here.service.url} (context ${host})`);
    await client.call('issues.create', { title: 'Seen through the context' });
    await succeeds('issues list', containing('Seen through the context'));
    await fails(4, 'issues create No');

    await succeeds('logout', `Signed out of ${here.service.url}.`);
    const { tokens } = await client.call('tokens.list');
    expect(tokens.find(({ name }) => name.startsWith('backoffice on '))).toMatchObject({ state: 'revoked' });
    expect(await printed('context list --json')).toEqual({ contexts: [] });
    await fails(3, 'logout');
  });

  test('changes between contexts, says which is in use, and signs out of the named one or of that', async () => {
    folder = await temporaryFolder();
    const { secret } = await signIn('one');
    await signIn('two');
    expect((await printed('context list --json name,in_use')).contexts).toEqual([
      { name: 'one', in_use: false },
      { name: 'two', in_use: true },
    ]);
    expect((await run('context list --json')).stdout).not.toContain(secret);
    await succeeds('context list', new RegExp(`^\\*\ttwo\t\\S+\t${email}\t$`, 'm'));
    await succeeds('context use one');
    await succeeds('whoami', containing('(context one)'));
    await succeeds('whoami --context two', containing('(context two)'));
    expect((await run('whoami', { env: { BACKOFFICE_CONTEXT: 'two' } })).stdout).toContain('(context two)');
    await succeeds('context delete one');
    await succeeds('whoami', /operator of this machine/);
    await fails(3, 'whoami --context one');
    await fails(3, 'context use one');
    await succeeds('context use two');
    await succeeds('context use --none');
    await succeeds('whoami', /operator of this machine/);
    await signIn('three');
    await succeeds('logout --context two');
    await succeeds('context list --quiet', 'three');
    // In use is what commands work through.
    await signIn('five');
    const database = await run('logout', { env: { DATABASE_URL: here.service.databaseUrl } });
    expect(database).toMatchObject(failedLike(3, 'No context is in use.'));
    await run('logout', { env: { BACKOFFICE_CONTEXT: 'three' } });
    await succeeds('context list --quiet', 'five');
  });

  test('keeps the contexts of all who sign in at once, whatever their names, and reads a byte order mark', async () => {
    folder = await temporaryFolder();
    const { secret } = await here.client.call('tokens.create', { name: 'many', role: 'admin' });
    const names = ['__proto__', 'constructor', 'one', 'two'];
    const login = `login ${here.service.url} --with-token`;
    const script = `for name; do printf '\\357\\273\\277%s\\n' ${secret} | "$NODE" "$0" ${login} --name "$name" & done; wait`;
    const env = { ...withoutEnvironment(), NODE: process.execPath, BACKOFFICE_CONFIG: folder };
    const { stdout } = await promisify(execFile)('sh', ['-c', script, executable, ...names], { env });
    expect(stdout.match(/The context \w+ is in use\./g)).toHaveLength(4);
    const found = (await printed('context list --json name')).contexts.map(
      (each: { name: string }) => each.name,
    );
    expect(found.sort()).toEqual(names);
    expect(await readdir(folder)).toEqual(['contexts.json']);

    const file = join(folder, 'contexts.json');
    await writeFile(file, `\uFEFF${await readFile(file, 'utf8')}`);
    await succeeds('context use __proto__', `The context __proto__ is in use: ${here.service.url}.`);
    await succeeds('whoami', containing('(context __proto__)'));
    await succeeds('context delete __proto__', 'Forgot the context __proto__.');
    await fails(3, 'context use toString', containing('No context toString.'));
  });

  test('renames a context, which stays in use and keeps its colour, also when somebody signs in again', async () => {
    folder = await temporaryFolder();
    await signIn('five', 'renamed');
    await signIn('six', 'coloured', ' --color red');
    const listed = async () => (await printed('context list --json name,in_use,color')).contexts;
    const five = { name: 'five', in_use: false, color: null };
    expect(await listed()).toEqual([five, { name: 'six', in_use: true, color: 'red' }]);
    await fails(2, 'context rename six five', containing('There is a context five already.'));
    await fails(3, 'context rename seven eight', containing('No context seven.'));
    await succeeds('context rename six seven', 'The context six is seven now.');
    await signIn('seven', 'again');
    expect(await listed()).toEqual([five, { name: 'seven', in_use: true, color: 'red' }]);
    await succeeds('context rename five six');
    expect(await listed()).toMatchObject([{ name: 'six', in_use: false }, { name: 'seven' }]);
  });

  test('a variable that names a database or a server goes before the context, and a choice of one warns of that', async () => {
    folder = await temporaryFolder();
    const { secret } = await signIn('eight');
    const { databaseUrl, url } = here.service;
    const operator = { server: null, context: null, email: null, role: 'superadmin', read_only: false };
    expect(await printed('whoami --json', { env: { DATABASE_URL: databaseUrl } })).toEqual(operator);
    const elsewhere = { BACKOFFICE_SERVER: 'http://127.0.0.1:1' };
    expect(await run('whoami', { env: { ...elsewhere, BACKOFFICE_TOKEN: secret } })).toMatchObject({
      code: 4,
    });
    expect(await printed(`whoami --json context --server ${url}/`)).toEqual({ context: 'eight' });
    for (const named of [`--server ${url}`, '--context eight'])
      expect(await printed(`whoami --json context ${named}`, { env: elsewhere })).toEqual({
        context: 'eight',
      });
    const withToken = { env: { BACKOFFICE_TOKEN: secret } };
    expect(await printed(`whoami --json context --server ${url}`, withToken)).toEqual({ context: null });
    await fails(2, `whoami --server ${url} --context eight`);
    await fails(2, 'migrate status --context eight');

    for (const [variable, env] of [
      ['DATABASE_URL or BACKOFFICE_DATA', { DATABASE_URL: 'postgres://127.0.0.1/backoffice' }],
      ['BACKOFFICE_SERVER', elsewhere],
    ] as const) {
      const stderr = `Warning: ${variable} is set, so commands do not use this context. Unset it, or add --context eight to them.\n`;
      expect(await run('context use eight', { env })).toMatchObject({ code: 0, stderr });
    }
    await succeeds('context use eight', undefined, '');
  });

  test('a context keeps its server, and a wrong or revoked token or a damaged file is refused', async () => {
    folder = await temporaryFolder();
    const { id, secret } = await signIn('four');
    const elsewhere = 'login http://127.0.0.1:1 --name four --with-token';
    expect((await run(elsewhere, { stdin: secret })).stderr).toContain('Choose another name with --name.');
    const login = `login ${here.service.url} --with-token`;
    const wrong = await run(login, { stdin: 'bo_wrong' });
    expect(wrong).toMatchObject({ code: 4, stderr: containing('The server does not accept this token.') });
    expect(await run(login, { stdin: 'secret' })).toMatchObject({ code: 2 });
    await here.client.call('tokens.revoke', { id });
    await fails(4, 'issues list', containing('backoffice login'));
    await succeeds('logout');
    await writeFile(join(folder, 'contexts.json'), '{"current":');
    expect((await run('issues list')).stderr).toMatch(/contexts\.json is damaged\. Delete it/);
  });
});
