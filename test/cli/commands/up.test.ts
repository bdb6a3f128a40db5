import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPostmaster } from '../../../src/db/embedded/server.ts';
import { clientWith, openSession } from '../../support/here.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import {
  executable,
  lineOf,
  type RunningCommand,
  spawnOnTerminal,
  startBackoffice,
} from '../../support/run/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { examined } from '../commands-here.ts';

const api = /Backoffice API +(http:\S+)\/api\/admin/;
const prompt = /Press Ctrl-C/;

let data: string;
const running: RunningCommand[] = [];

beforeEach(async () => {
  data = await temporaryFolder();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((command) => command.stop()));
});

function up(env: Record<string, string> = {}): RunningCommand {
  const command = startBackoffice(['up'], { env: { BACKOFFICE_DATA: data, ...env } });
  running.push(command);
  return command;
}

async function ready(command: RunningCommand): Promise<string> {
  await command.shows(prompt);
  return (await command.shows(api))[1] ?? '';
}

const postmaster = () => readPostmaster(join(data, 'postgres', 'data'));

test('stops everything on a signal during the start', async () => {
  const command = up();
  await command.shows(/Creating a database/);
  expect((await command.stop('SIGINT')).code).toBe(0);
  expect(await postmaster()).toBeUndefined();
});

test('shares one Postgres and one first admin between two processes that start together', async () => {
  const both = [up(), up()];
  const urls = await Promise.all(both.map(ready));
  expect(new Set(urls).size).toBe(2);
  for (const url of urls) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const shown = both.filter((command) => command.output().stdout.includes('First admin'));
  expect(shown).toHaveLength(1);
  await shown[0]?.shows(/First admin +admin@localhost/);
  expect((await both[0]?.stop())?.code).toBe(0);
  expect((await fetch(`${urls[1]}/readyz`)).status).toBe(200);
});

test('starts the database, the schema, a first superadmin and the API, and has the same data the next time', async () => {
  const first = up({ BACKOFFICE_ADMIN_EMAIL: 'Grace@xn--mnchen-3ya.example' });
  const url = await ready(first);
  const [, password = ''] = await first.shows(/Password +(\S+)/);
  await first.shows(
    /Roles +every signed-in person can set the password of every account, .+ start with BACKOFFICE_STRICT_ROLES=1/,
  );
  for (const path of ['/healthz', '/readyz']) expect((await fetch(url + path)).status).toBe(200);
  const cookie = await openSession(url, 'grace@m\u00fcnchen.example', password);
  const admin = { email: 'grace@m\u00fcnchen.example', role: 'superadmin' };
  expect(await clientWith(url, cookie).call('session.show')).toMatchObject({ admin });
  // The doctor looks into the embedded database as into any other.
  const { findings } = await examined({ BACKOFFICE_DATA: data, IMAP_URL: 'imap://ada:secret@127.0.0.1:1' });
  const detail = 'ada at 127.0.0.1, INBOX was never read';
  expect(findings).toMatchObject({ mailbox: { state: 'warning', detail } });
  // It makes the secret of its cookies, and never prints it.
  const secret = await readFile(join(data, 'session-secret'), 'utf8');
  expect(secret.length).toBeGreaterThanOrEqual(32);
  const { code, stdout, stderr } = await first.stop('SIGINT');
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain(secret);

  const taken = createServer();
  const port = await listenOnLoopback(taken);
  const refused = await up({ PORT: String(port) }).finished;
  taken.close();
  const inUse = `Port ${port} on 127.0.0.1 is in use by another program. Set PORT to a free port.`;
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`backoffice: ${inUse}\n`) });
  expect(await postmaster()).toBeUndefined();

  const second = up();
  expect(await clientWith(await ready(second), cookie).call('session.show')).toMatchObject({ admin });
  await second.shows(/Reminder +grace@m\u00fcnchen.example still has its generated password/);
  expect(second.output().stdout).not.toMatch(/Password|First admin/);
  // As when its terminal is closed.
  expect((await second.stop('SIGHUP')).code).toBe(0);
  expect(await postmaster()).toBeUndefined();
});

test('on a terminal, the address and the password stay last, unless requests are wanted', async () => {
  const line = `stty cols 200; exec ${lineOf([process.execPath, executable, 'up'])}`;
  /** Starts it, sends a request, and returns what is on the terminal from the address on, before it is stopped. */
  async function shownAfterRequest(env: Record<string, string>, until: RegExp) {
    const child = spawnOnTerminal(line, { env: { BACKOFFICE_DATA: data, PORT: '0', ...env } });
    const ended = once(child, 'close');
    let raw = '';
    child.stdout.on('data', (text: string) => {
      raw += text;
    });
    const text = () => stripVTControlCharacters(raw).replaceAll('\r\n', '\n');
    await expect.poll(text, { timeout: 30_000 }).toMatch(/Web dashboard .+\n[\s\S]+\n\n/);
    const [, url = ''] = /Web dashboard +(\S+)\//.exec(text()) ?? [];
    // When the second is answered, the first one has been logged.
    for (const _ of ['first', 'second']) expect((await fetch(`${url}/api/admin/issues`)).status).toBe(401);
    await expect.poll(text).toMatch(until);
    const shown = text().slice(text().indexOf('  Web dashboard'));
    child.stdin.write('\u0003');
    await ended;
    return shown;
  }
  const first = await shownAfterRequest({}, /\n\n$/);
  expect(first).toMatch(
    /^ {2}Web dashboard .+\/\n {2}First admin {6}admin@localhost\n {2}Password +[\da-f]{32} {2}\(shown only once\)\n\n$/,
  );
  const second = await shownAfterRequest({ LOG_LEVEL: 'info' }, / 401 \d+ ms\n$/);
  expect(second).toMatch(/^ {2}Web dashboard [\s\S]+\n\d\d:\d\d:\d\d GET \/api\/admin\/issues 401 \d+ ms\n$/);
});

test.each(['issues list', 'migrate status', 'seed --remove --yes'])(
  '`%s` creates no data where there is none, and says so',
  async (words) => {
    const folder = join(data, 'new');
    const env = { BACKOFFICE_DATA: folder };
    const { code, stderr } = await startBackoffice(words.split(' '), { env }).finished;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        `^backoffice: There is no data here yet. Run \`npm start\`. The data directory is ${folder}.`,
      ),
    });
    expect(await readdir(data)).toEqual([]);
  },
);
