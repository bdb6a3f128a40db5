import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { remoteAccess } from '../../../cli/access/remote.ts';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { NotConnectedError } from '../../../cli/errors.ts';
import { asOwner, asRuntime, createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { type PoolerStandIn, startPoolerStandIn } from '../../support/receivers/pooler.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

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
  const silent = new NotConnectedError(`${url} did not answer. Check that it is running.`);
  await expect(access.call('session.show')).rejects.toThrow(silent);
  await expect(access.stream('issues.list', {}, async () => {})).rejects.toThrow(silent);
});

const page: RequestListener = (_req, res) =>
  void res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
const noSuchPath: RequestListener = (_req, res) =>
  void res.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
const noSuchMethod: RequestListener = (_req, res) =>
  void res.writeHead(501, { 'content-type': 'text/html' }).end('<h1>Unsupported method</h1>');
const signIn: RequestListener = (_req, res) =>
  void res.writeHead(302, { location: 'https://sso.example.com/sign-in?from=here' }).end();
const otherService: RequestListener = (_req, res) => void res.writeHead(200, json).end('{"items":[]}');

test.each<[string, RequestListener]>([
  ['text/html', page],
  ['text/html', noSuchPath],
  ['text/html', noSuchMethod],
  ['a redirect to https://sso.example.com/sign-in', signIn],
  ['JSON of another service', otherService],
])('says that what answers with %s is not a Backoffice server', async (answer, listener) => {
  const url = await serve(listener);
  await expect(remoteAccess(url, 'bo_token').call('issues.list')).rejects.toThrow(
    new NotConnectedError(`${url} is not a Backoffice server: it answers with ${answer}. Check the address.`),
  );
});

test('prints nothing of a page that answers instead of a list or a stream of events', async () => {
  const access = remoteAccess(await serve(page), 'bo_token');
  const written: string[] = [];
  const list = access.stream('issues.list', {}, async (text) => void written.push(text));
  await expect(list).rejects.toThrow('is not a Backoffice server');
  const events = access.follow({ signal: new AbortController().signal });
  await expect(events[Symbol.asyncIterator]().next()).rejects.toThrow('is not a Backoffice server');
  expect(written).toEqual([]);
});

test.each(['', '/', '/api', '/api/admin', '/api/admin/'])(
  'understands an address that ends with %j',
  async (path) => {
    const asked: (string | undefined)[] = [];
    const url = await serve((req, res) => {
      asked.push(req.url);
      res.writeHead(200, json).end('{"issues":[],"nextCursor":null}');
    });
    await remoteAccess(url + path, 'bo_token').call('issues.list', { limit: 1 });
    expect(asked).toEqual(['/api/admin/issues?limit=1']);
  },
);

test.each([301, 302, 307, 308])('names the address that a redirect with %i leads to', async (status) => {
  const asked: (string | undefined)[] = [];
  const url = await serve((req, res) => {
    asked.push(req.method);
    res.writeHead(status, { location: `https://backoffice.example.com/shop${req.url}` }).end();
  });
  const sentence = `${url} redirects to https://backoffice.example.com/shop. Use that address instead.`;
  const access = remoteAccess(url, 'bo_token');
  await expect(access.call('device.create', { name: 'laptop' })).rejects.toThrow(sentence);
  await expect(access.stream('issues.list', {}, async () => {})).rejects.toThrow(sentence);
  expect(asked).toEqual(['POST', 'GET']);
});

test('says why it cannot reach a server', async () => {
  const closed = createServer();
  const port = await listenOnLoopback(closed);
  await new Promise((resolve) => closed.close(resolve));
  const plain = await serve(page);
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

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

describe.each([
  { name: 'a pooler', ignored: [] },
  { name: 'a pooler that ignores timeouts', ignored: timeouts },
])('with $name in DATABASE_URL', ({ ignored }) => {
  let database: TestDatabase;
  let pooler: PoolerStandIn;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPoolerStandIn(asRuntime(database.url), ignored);
    env = { DATABASE_URL: pooler.url, SESSION_SECRET };
  });

  afterAll(async () => {
    await pooler?.close();
    await database?.drop();
  });

  test.for([['serve'], ['up']])('%s ends with one sentence', async (args) => {
    const command = startBackoffice(args, { env });
    onTestFinished(() => void command.process.kill('SIGKILL'));
    const { code, stdout, stderr } = await command.finished;
    expect([code, lastLine(stderr)]).toEqual([2, sentence]);
    // On a busy machine it learns so after it has begun to listen.
    expect(stdout).toMatch(/^(Backoffice listens on \S+\n)?$/);
  });

  test.for([
    ['migrate', 'up'],
    ['migrate', 'status'],
    ['issues', 'list'],
    ['settings', 'list'],
    ['backup', '-'],
  ])('%s %s does too', async (args) => {
    const { code, stdout, stderr } = await backoffice(args, { env });
    expect([code, stdout, stderr]).toEqual([2, '', `${sentence}\n`]);
  });

  test('doctor names it once, and checks nothing that needs the server', async () => {
    const { code, stdout } = await backoffice(['doctor', '--json'], { env });
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([
      { check: 'database', state: 'failed', detail: 'DATABASE_URL leads to a pooler', mend: advice },
    ]);
    expect(checks.map(({ check }) => check)).not.toContain('migrations');
  });

  test('in DATABASE_OWNER_URL, commands and doctor name that variable', async () => {
    const owner = { DATABASE_URL: asRuntime(database.url), SESSION_SECRET };
    const url = new URL(pooler.url);
    const { username, password } = new URL(asOwner(database.url));
    Object.assign(url, { username, password });
    const withOwner = { ...owner, DATABASE_OWNER_URL: url.href };
    const { code, stderr } = await backoffice(['migrate', 'up'], { env: withOwner });
    const problem = 'DATABASE_OWNER_URL leads to a pooler';
    const mend = 'Set it to the address of the Postgres server itself.';
    expect([code, stderr]).toEqual([2, `backoffice: ${problem}. ${mend}\n`]);
    const { stdout } = await backoffice(['doctor', '--json'], { env: withOwner });
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    expect(checks).toContainEqual({ check: 'database owner', state: 'failed', detail: problem, mend });
  });

  test.for([
    ['serve', /listens on/],
    ['up', /Retrying/],
  ] as const)(
    '%s starts while the server behind it is down, and ends when it answers',
    async ([word, shown]) => {
      const away = await startPoolerStandIn(asRuntime(database.url), ignored);
      onTestFinished(() => away.close());
      away.isAvailable = false;
      const command = startBackoffice([word], { env: { ...env, DATABASE_URL: away.url } });
      onTestFinished(() => void command.process.kill('SIGKILL'));
      await command.shows(shown);
      away.isAvailable = true;
      const { code, stderr } = await command.finished;
      expect(code).toBe(2);
      // The log goes on until the process has ended.
      expect(stderr.split('\n')).toContain(sentence);
    },
  );
});
