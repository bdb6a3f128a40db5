import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkNode, judgeSpace } from '../../../cli/doctor/examine.ts';
import { checkMail, checkPublicUrl } from '../../../cli/doctor/mail.ts';
import { judgeServer } from '../../../cli/doctor/server-facts.ts';
import { readConfig } from '../../../src/config.ts';
import type { ServerFacts } from '../../../src/db/connection/inspect-server.ts';
import { backofficeHere } from '../../support/here.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { containing, examined } from '../commands-here.ts';

const goodServer: ServerFacts = {
  version: '17.2',
  encoding: 'UTF8',
  fsync: true,
  fullPageWrites: true,
  maxConnections: 97,
  readOnly: false,
  isReplica: false,
  statementTimeoutMs: 0,
  lockTimeoutMs: 0,
  clockAheadMs: 40,
};

test.each<[Partial<ServerFacts>, string, string]>([
  [{ version: '14.13' }, 'failed', 'Postgres 14.13 is too old'],
  [{ version: '19.0' }, 'warning', 'newer than tested'],
  [{ encoding: 'SQL_ASCII' }, 'failed', 'SQL_ASCII'],
  [{ fsync: false }, 'warning', 'fsync is off'],
  [{ fullPageWrites: false }, 'warning', 'full_page_writes is off'],
  [{ readOnly: true }, 'failed', 'read-only'],
  [{ isReplica: true, readOnly: true }, 'failed', 'a replica'],
  [{ maxConnections: 10 }, 'failed', '10 connections'],
  [{ maxConnections: 48 }, 'warning', '48 connections'],
  [{ clockAheadMs: -2_500 }, 'warning', '2.5 s behind'],
  [{ clockAheadMs: 61_000 }, 'failed', '61.0 s ahead'],
])('a server of Postgres with %j has one finding: %s', (change, state, detail) => {
  const findings = judgeServer({ ...goodServer, ...change }).filter((finding) => finding.state !== 'ok');
  const fix = expect.any(String);
  expect(findings).toEqual([{ check: expect.any(String), state, detail: containing(detail), fix }]);
});

test('judges a good server, the free space and the version of Node', () => {
  expect(judgeServer(goodServer).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  const space = [50_000_000, 500_000_000, 5_000_000_000].map((bytes) => judgeSpace(bytes, '/data').state);
  expect(space).toEqual(['failed', 'warning', 'ok']);
  expect(['22.1.0', '24.0.0', '26.3.1'].map((node) => checkNode(node).state)).toEqual(['failed', 'ok', 'ok']);
});

describe('the check of mail', () => {
  /** Starts a server that runs this for each connection. Returns its SMTP_URL. */
  async function listen(answer: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      onTestFinished(() => void socket.destroy());
      answer(socket);
    });
    const port = await listenOnLoopback(server);
    onTestFinished(() => void server.close());
    return `smtp://mailer:hidden@127.0.0.1:${port}`;
  }

  // Longer than a test takes even on a busy machine, so that only a silent server reaches it.
  const check = (url: string, timeoutMs = 50_000) => checkMail(readConfig({ SMTP_URL: url }), { timeoutMs });

  test('warns that the links in mails lead to this machine, if nobody has said where people reach the service', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    const [detail, fix] = [
      'links in mails lead to http://localhost:8080',
      containing('BACKOFFICE_PUBLIC_URL'),
    ];
    expect(checkPublicUrl(readConfig({ SMTP_URL, PORT: '8080' }))).toEqual({ state: 'warning', detail, fix });
    for (const config of [{ SMTP_URL, BACKOFFICE_PUBLIC_URL: 'https://desk.example.com' }, {}])
      expect(checkPublicUrl(readConfig(config))).toBeUndefined();
  });

  const greet = (socket: Socket) => socket.write('220 mail.example.com ESMTP ready\r\n');

  test.each<[string, (socket: Socket) => void, state: string, detail: string, timeoutMs?: number]>([
    ['greets', greet, 'ok', 'is ready'],
    [
      'speaks HTTP',
      (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'failed',
      'is not a mail server',
    ],
    ['closes the connection', (socket) => socket.end(), 'failed', 'it closed the connection'],
    ['sends nothing', () => {}, 'failed', 'no greeting within 0.1 s', 100],
  ])('finds that a server %s', async (_what, answer, state, detail, timeoutMs) => {
    const finding = await check(await listen(answer), timeoutMs);
    const fix = state === 'ok' ? undefined : containing('SMTP_URL');
    expect(finding).toEqual({ state, detail: containing(detail), fix });
    expect(JSON.stringify(finding)).not.toContain('hidden');
  });

  test('accepts a configuration without mail, and reports that nothing listens or nothing speaks TLS', async () => {
    expect(await check('')).toMatchObject({ state: 'ok', detail: containing('off: without SMTP_URL') });
    const url = await listen(greet);
    for (const wrong of ['smtp://127.0.0.1:1', 'smtps://127.0.0.1:1', url.replace('smtp:', 'smtps:')])
      expect(await check(wrong)).toMatchObject({ state: 'failed', detail: containing('does not answer') });
  });
});

describe('backoffice doctor --server', () => {
  const here = backofficeHere();

  test('passes if it is ready and takes the token, and fails if not', async () => {
    const { url } = here.service;
    const { secret } = await here.service.createToken('user');
    const stateOf = async (server: string, BACKOFFICE_TOKEN: string) => {
      const { code, checks } = await examined({ BACKOFFICE_TOKEN }, '--server', server);
      return { code, ...Object.fromEntries(checks.map(({ check, state }) => [check, state])) };
    };
    const passed = { node: 'ok', configuration: 'ok', server: 'ok', clock: 'ok', token: 'ok' };
    expect(await stateOf(url, secret)).toEqual({ code: 0, ...passed });
    expect(await stateOf(url, 'bo_unknown')).toMatchObject({ code: 1, server: 'ok', token: 'failed' });
    expect(await stateOf('http://127.0.0.1:1', secret)).toMatchObject({ code: 1, server: 'failed' });
  });

  test('waits for a server as long as --timeout says', async () => {
    const silent = createHttpServer(() => {});
    const server = `http://127.0.0.1:${await listenOnLoopback(silent)}`;
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const { findings } = await examined({}, '--server', server, '--timeout', '1s');
    expect(findings.server).toMatchObject({
      state: 'failed',
      detail: `${server} does not answer within 1 s`,
    });
  });

  test('advises a new token only if the server refuses the token', async () => {
    let status = 0;
    const standIn = createHttpServer(({ url }, response) => {
      response.writeHead(url === '/readyz' ? 200 : status).end('{"status":"ready"}');
    });
    const server = `http://127.0.0.1:${await listenOnLoopback(standIn)}`;
    onTestFinished(() => void standIn.close());
    for (const [answered, fix] of [
      [401, 'Run `backoffice tokens create` on its machine, and set BACKOFFICE_TOKEN.'],
      [403, 'Use a token that may do what your commands do.'],
      [429, 'Wait a moment, then run `backoffice doctor` again.'],
      [500, 'Run `backoffice doctor` on its machine.'],
      [200, 'Fix this, then run `backoffice doctor` again.'],
    ] as const) {
      status = answered;
      const { findings } = await examined({ BACKOFFICE_TOKEN: 'bo_token' }, '--server', server);
      expect(findings.token).toMatchObject({ state: 'failed', fix });
    }
  });
});
