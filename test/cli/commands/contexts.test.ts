import { stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const here = backofficeHere();
let folder: string;

const run = (words: string, { stdin = '', env = {} } = {}) =>
  backoffice(words.split(' '), { stdin, env: { BACKOFFICE_CONFIG: folder, ...env } });
const printed = async (words: string, options = {}) => JSON.parse((await run(words, options)).stdout);

/** Signs in with a new token of the superadmin, and returns it. */
async function signIn(name: string, tokenName = name): Promise<{ id: number; secret: string }> {
  const made = { name: tokenName, role: 'admin' } as const;
  const { token, secret } = await here.superadmin.client.call('tokens.create', made);
  const done = await run(`login ${here.service.url} --name ${name} --with-token`, {
    stdin: `${secret}\n`,
  });
  expect(done).toMatchObject({ code: 0 });
  return { id: token.id, secret };
}

test('signs in by a code that a person approves, works through the server, and signs out', async () => {
  folder = await temporaryFolder();
  const { client } = here.superadmin;
  const login = startBackoffice(['login', here.service.url, '--no-browser'], {
    env: { BACKOFFICE_CONFIG: folder },
  });
  const [, user_code = ''] = await login.shows(/Your code is (\S+)\.[\s\S]*\/device\?code=\1/);
  await client.call('device.approve', { user_code, role: 'admin', read_only: true });
  const { host } = new URL(here.service.url);
  const { email } = here.superadmin;
  expect(await login.finished).toMatchObject({
    code: 0,
    stdout: `Signed in to ${here.service.url} as ${email} (admin). The context ${host} is in use.\n`,
  });
  expect((await stat(join(folder, 'contexts.json'))).mode & 0o777).toBe(0o600);
  expect((await run('whoami')).stdout).toBe(
    `${email}, admin, only for reading, on ${here.service.url} (context ${host})\n`,
  );
  await client.call('issues.create', { title: 'Seen through the context' });
  expect((await run('issues list')).stdout).toContain('Seen through the context');
  expect(await run('issues create No')).toMatchObject({ code: 4 });

  expect(await run('logout')).toMatchObject({ code: 0, stdout: `Signed out of ${here.service.url}.\n` });
  const { tokens } = await client.call('tokens.list');
  expect(tokens.find(({ name }) => name.startsWith('backoffice on '))).toMatchObject({ state: 'revoked' });
  expect(await printed('context list --json')).toEqual({ contexts: [] });
  expect(await run('logout')).toMatchObject({ code: 3 });
});

test('asks no longer for the token than the code is valid if the server is gone', async () => {
  folder = await temporaryFolder();
  const device = { device_code: 'code', user_code: 'WDJB-MJHT', verification_uri: 'http://127.0.0.1/device' };
  const server = createServer((_req, res) => {
    server.close();
    res.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' });
    res.end(JSON.stringify({ ...device, expires_in: 1, interval: 1 }));
  });
  const address = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const { code, stderr } = await run(`login ${address} --no-browser`);
  expect(code).toBe(4);
  expect(stderr).toContain(`backoffice: Cannot reach ${address}: nothing listens there.`);
});

test('changes between contexts, and says which is in use', async () => {
  folder = await temporaryFolder();
  await signIn('one');
  await signIn('two');
  const { email } = here.superadmin;
  const listed = async () => (await printed('context list --json name,in_use')).contexts;
  expect(await listed()).toEqual([
    { name: 'one', in_use: false },
    { name: 'two', in_use: true },
  ]);
  expect((await run('context list')).stdout).toMatch(new RegExp(`^\\*\ttwo\t\\S+\t${email}\t$`, 'm'));
  expect(await run('context use one')).toMatchObject({ code: 0 });
  expect((await run('whoami')).stdout).toContain('(context one)');
  expect((await run('whoami --context two')).stdout).toContain('(context two)');
  expect((await run('whoami', { env: { BACKOFFICE_CONTEXT: 'two' } })).stdout).toContain('(context two)');
  expect(await run('context delete one')).toMatchObject({ code: 0 });
  expect((await run('whoami')).stdout).toMatch(/operator of this machine/);
  expect(await run('whoami --context one')).toMatchObject({ code: 3 });
  expect(await run('context use one')).toMatchObject({ code: 3 });
  expect(await run('context use')).toMatchObject({ code: 2 });
  expect(await run('context use two')).toMatchObject({ code: 0 });
  expect(await run('context use --none')).toMatchObject({ code: 0 });
  expect((await run('whoami')).stdout).toMatch(/operator of this machine/);
});

test('gives a context a colour, which signing in again keeps', async () => {
  folder = await temporaryFolder();
  await signIn('six');
  const color = async () => (await printed('context list --json color')).contexts[0].color;
  expect(await color()).toBe(null);
  expect(await run('context edit six --color red')).toMatchObject({
    code: 0,
    stdout: 'six is red now.\n',
  });
  await signIn('six', 'six again');
  expect(await color()).toBe('red');
  expect(await run('context edit six --color pink')).toMatchObject({ code: 2 });
  expect(await run('context edit six')).toMatchObject({ code: 2 });
  expect(await run('context edit seven --color red')).toMatchObject({ code: 3 });
  expect(await run('context edit six --color none')).toMatchObject({ code: 0 });
  expect(await color()).toBe(null);
});

test('a variable that names a database or a server goes before the context in use', async () => {
  folder = await temporaryFolder();
  const { secret } = await signIn('three');
  const { databaseUrl, url } = here.service;
  expect(await printed('whoami --json', { env: { DATABASE_URL: databaseUrl } })).toEqual({
    ...{ server: null, context: null, email: null },
    ...{ role: 'superadmin', read_only: false },
  });
  const env = { BACKOFFICE_SERVER: 'http://127.0.0.1:1', BACKOFFICE_TOKEN: secret };
  expect(await run('whoami', { env })).toMatchObject({ code: 4 });
  const same = await printed(`whoami --json context --server ${url}/`);
  expect(same).toEqual({ context: 'three' });
  expect(await run(`whoami --server ${url} --context three`)).toMatchObject({ code: 2 });
  expect(await run('migrate status --context three')).toMatchObject({ code: 2 });
});

test.each([
  [{ DATABASE_URL: 'postgres://127.0.0.1/backoffice' }, 'DATABASE_URL or BACKOFFICE_DATA'],
  [{ BACKOFFICE_SERVER: 'http://127.0.0.1:1' }, 'BACKOFFICE_SERVER'],
  [{ BACKOFFICE_CONTEXT: 'another' }, 'BACKOFFICE_CONTEXT'],
])('says that %j goes before the context that a person chooses', async (env, variable) => {
  folder = await temporaryFolder();
  const { secret } = await signIn('eight', `before ${variable}`);
  const warning = `Warning: ${variable} is set, so commands do not use this context. Unset it, or add --context eight to them.\n`;
  const login = `login ${here.service.url} --name eight --with-token`;
  expect(await run(login, { env, stdin: secret })).toMatchObject({ code: 0, stderr: warning });
  expect(await run('context use eight', { env })).toMatchObject({ code: 0, stderr: warning });
  expect(await run('context use eight')).toMatchObject({ code: 0, stderr: '' });
});

test('signs out of the context that is named, as an argument or by --context', async () => {
  folder = await temporaryFolder();
  await signIn('nine');
  await signIn('ten');
  expect(await run('logout --context nine')).toMatchObject({ code: 0 });
  expect((await run('context list --quiet')).stdout).toBe('ten\n');
});

test('a context keeps its server, and a wrong token or a damaged file is refused', async () => {
  folder = await temporaryFolder();
  const { secret } = await signIn('four');
  const elsewhere = 'login http://127.0.0.1:1 --name four --with-token';
  expect((await run(elsewhere, { stdin: secret })).stderr).toContain('Choose another name with --name.');
  const login = `login ${here.service.url} --with-token`;
  expect(await run(login, { stdin: 'bo_wrong' })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('The server does not accept this token.'),
  });
  expect(await run(login, { stdin: 'secret' })).toMatchObject({ code: 2 });
  await writeFile(join(folder, 'contexts.json'), '{"current":');
  expect((await run('issues list')).stderr).toMatch(/contexts\.json is damaged\. Delete it/);
});

test('a revoked token is told as one', async () => {
  folder = await temporaryFolder();
  const { id } = await signIn('five');
  await here.superadmin.client.call('tokens.revoke', { id });
  const { code, stderr } = await run('issues list');
  expect(code).toBe(4);
  expect(stderr).toContain('backoffice login');
  expect(await run('logout')).toMatchObject({ code: 0 });
});
