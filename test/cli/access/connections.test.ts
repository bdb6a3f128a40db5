import { createServer, type RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { remoteAccess } from '../../../cli/access/remote.ts';
import { LateError, NotConnectedError } from '../../../cli/errors.ts';
import { asOwner, asRuntime, databaseHere } from '../../support/postgres.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { startPoolerStandIn } from '../../support/receivers/pooler.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';
import { examined } from '../commands-here.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

const json = { 'content-type': 'application/json; charset=utf-8' };

test.each<[string, RequestListener]>([
  ['nothing', () => {}],
  ['the start of an answer', (_req, res) => void res.writeHead(200, json).write('{"issues":[')],
])('stops waiting for a server that sends %s', async (_what, listener) => {
  const url = await serve(listener);
  const access = remoteAccess(url, 'bo_token', { timeoutMs: 100 });
  const silent = new LateError(url, 100);
  await expect(access.call('session.show')).rejects.toThrow(silent);
  await expect(access.stream('issues.list', {}, async () => {})).rejects.toThrow(silent);
});

const html =
  (status: number): RequestListener =>
  (_req, res) =>
    void res.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
const signIn: RequestListener = (_req, res) =>
  void res.writeHead(302, { location: 'https://sso.example.com/sign-in?from=here' }).end();
const otherService: RequestListener = (_req, res) => void res.writeHead(200, json).end('{"items":[]}');

test.each<[string, RequestListener]>([
  ['text/html', html(200)],
  ['text/html', html(404)],
  ['a redirect to https://sso.example.com/sign-in', signIn],
  ['JSON of another service', otherService],
])('says that what answers with %s is not a Backoffice server', async (answer, listener) => {
  const url = await serve(listener);
  await expect(remoteAccess(url, 'bo_token').call('issues.list')).rejects.toThrow(
    new NotConnectedError(`${url} is not a Backoffice server: it answers with ${answer}. Check the address.`),
  );
});

test('prints nothing of a page that answers instead of a list or a stream of events', async () => {
  const access = remoteAccess(await serve(html(200)), 'bo_token');
  const written: string[] = [];
  const list = access.stream('issues.list', {}, async (text) => void written.push(text));
  await expect(list).rejects.toThrow('is not a Backoffice server');
  const events = access.follow({ signal: new AbortController().signal });
  await expect(events[Symbol.asyncIterator]().next()).rejects.toThrow('is not a Backoffice server');
  expect(written).toEqual([]);
});

test.each([
  ['of a newer service', '{"detail":"No.","code":"out_of_office"}'],
  ['that is the name of what every object has', '{"detail":"No.","code":"constructor"}'],
  ['that is missing', '{"error":"No."}'],
])('takes an error with a code %s for what its status says', async (_which, body) => {
  const url = await serve((_req, res) => void res.writeHead(404, json).end(body));
  const error = await remoteAccess(url, 'bo_token').call('session.show').catch(Object);
  expect(error).toMatchObject({ code: 'not_found', message: 'No.' });
});

test('understands an address that ends with any part of the path', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((req, res) => {
    asked.push(req.url);
    res.writeHead(200, json).end('{"issues":[],"nextCursor":null}');
  });
  const paths = ['', '/', '/api', '/api/admin/'];
  for (const path of paths) await remoteAccess(url + path, 'bo_token').call('issues.list', { limit: 1 });
  expect(asked).toEqual(paths.map(() => '/api/admin/issues?limit=1'));
});

test('names the address that a redirect leads to', async () => {
  const url = await serve((req, res) => {
    res.writeHead(308, { location: `https://backoffice.example.com/shop${req.url}` }).end();
  });
  const sentence = `${url} redirects to https://backoffice.example.com/shop. Use that address instead.`;
  const access = remoteAccess(url, 'bo_token');
  await expect(access.call('device.create', { name: 'laptop' })).rejects.toThrow(sentence);
  await expect(access.stream('issues.list', {}, async () => {})).rejects.toThrow(sentence);
});

test('says why it cannot reach a server', async () => {
  const closed = createServer();
  const port = await listenOnLoopback(closed);
  await new Promise((resolve) => closed.close(resolve));
  const plain = await serve(html(200));
  const reasons = [
    [`http://127.0.0.1:${port}`, 'nothing listens there'],
    [plain.replace('http:', 'https:'), 'it does not use HTTPS'],
    ['http://backoffice.invalid', '(unknown host|the host name cannot be resolved at the moment)'],
    [await serve((req) => req.socket.destroy()), 'it closes the connection'],
  ];
  for (const [url = '', reason] of reasons) {
    const error = await remoteAccess(url, 'bo_token').call('session.show').catch(String);
    expect(error).toMatch(
      new RegExp(`Cannot reach ${url}: ${reason}\\. Check the address, and that the server is running\\.$`),
    );
  }
});

const SESSION_SECRET = 'the secret of the cookies in the tests';
const advice =
  'Put it into DATABASE_POOL_URL, and set DATABASE_URL to the address of the Postgres server itself.';
const sentence = `backoffice: DATABASE_URL leads to a pooler. ${advice}`;
const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

describe('with a pooler', () => {
  const own = databaseHere();

  /** Starts a pooler in front of the database, until the end of the test. Returns it, and the environment that names it. */
  async function startPooler(ignored: readonly string[] = []) {
    const pooler = await startPoolerStandIn(asRuntime(own.url), ignored);
    onTestFinished(() => pooler.close());
    return { pooler, env: { DATABASE_URL: pooler.url, SESSION_SECRET } };
  }

  /** Starts a command that runs until it is stopped. */
  function start(word: string, env: Record<string, string>) {
    const command = startBackoffice([word], { env });
    onTestFinished(() => void command.process.kill('SIGKILL'));
    return command;
  }

  test.each([
    ['that refuses timeouts', []],
    ['that ignores timeouts', timeouts],
  ])(
    '%s in DATABASE_URL, commands end with one sentence, and doctor names it once',
    async (_what, ignored) => {
      const { env } = await startPooler(ignored);
      for (const word of ['serve', 'up']) {
        const { code, stdout, stderr } = await start(word, env).finished;
        expect([code, stderr.trimEnd().split('\n').at(-1)], word).toEqual([2, sentence]);
        // On a busy machine it learns so after it has begun to listen.
        expect(stdout).toMatch(/^(Backoffice listens on \S+\n)?$/);
      }
      for (const words of ['migrate up', 'issues list', 'backup -']) {
        const end = await backoffice(words.split(' '), { env });
        expect(end, words).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
      }
      const { code, checks } = await examined(env);
      expect(code).toBe(1);
      expect(checks.filter(({ state }) => state === 'failed')).toEqual([
        { check: 'database', state: 'failed', detail: 'DATABASE_URL leads to a pooler', fix: advice },
      ]);
      // It checks nothing that needs the server.
      expect(checks.map(({ check }) => check)).not.toContain('migrations');
    },
  );

  test('in DATABASE_OWNER_URL, commands and doctor name that variable', async () => {
    const { pooler } = await startPooler();
    const { username, password } = new URL(asOwner(own.url));
    const { href } = Object.assign(new URL(pooler.url), { username, password });
    const env = { DATABASE_URL: asRuntime(own.url), SESSION_SECRET, DATABASE_OWNER_URL: href };
    const detail = 'DATABASE_OWNER_URL leads to a pooler';
    const fix = 'Set it to the address of the Postgres server itself.';
    const stderr = `backoffice: ${detail}. ${fix}\n`;
    expect(await backoffice(['migrate', 'up'], { env })).toMatchObject({ code: 2, stderr });
    const { findings } = await examined(env);
    expect(findings['database owner']).toMatchObject({ state: 'failed', detail, fix });
  });

  test.each([
    ['serve', /listens on/],
    ['up', /Retrying/],
  ])('%s starts while the server behind it is down, and ends when it answers', async (word, shown) => {
    const { pooler, env } = await startPooler();
    pooler.cut();
    const command = start(word, env);
    await command.shows(shown);
    pooler.mend();
    const { code, stderr } = await command.finished;
    expect(code).toBe(2);
    // The log goes on until the process has ended.
    expect(stderr.split('\n')).toContain(sentence);
  });
});
