import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { checkNode, judgeSpace } from '../../../cli/doctor/machine.ts';
import { checkMail, checkPublicUrl } from '../../../cli/doctor/mail.ts';
import { judgeServer } from '../../../cli/doctor/server-facts.ts';
import { readConfig } from '../../../src/config.ts';
import type { ServerFacts } from '../../../src/db/connection/inspect-server.ts';
import { backofficeHere } from '../../support/here.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { backoffice } from '../../support/run.ts';

const containing = (text: string): string => expect.stringContaining(text);

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

test('a good server of Postgres passes', () => {
  expect(judgeServer(goodServer).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
});

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
  const mend = expect.any(String);
  expect(findings).toEqual([{ check: expect.any(String), state, detail: containing(detail), mend }]);
});

test('judges the free space and the version of Node', () => {
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
  const longTimeoutMs = 50_000;

  const check = (url: string, timeoutMs = longTimeoutMs) =>
    checkMail(readConfig({ SMTP_URL: url }), { timeoutMs });

  test('warns that the links in mails lead to this machine, if nobody has said where people reach the service', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    expect(checkPublicUrl(readConfig({ SMTP_URL, PORT: '8080' }))).toMatchObject([
      {
        state: 'warning',
        detail: 'links in mails lead to http://localhost:8080',
        mend: containing('BACKOFFICE_PUBLIC_URL'),
      },
    ]);
    for (const config of [{ SMTP_URL, BACKOFFICE_PUBLIC_URL: 'https://desk.example.com' }, {}])
      expect(checkPublicUrl(readConfig(config))).toEqual([]);
  });

  const greet = (socket: Socket) => socket.write('220 mail.example.com ESMTP ready\r\n');

  test('accepts a server that sends a greeting, and a configuration without mail', async () => {
    expect(await check(await listen(greet))).toMatchObject({ state: 'ok', detail: containing('is ready') });
    expect(await check('')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^off: without SMTP_URL/),
    });
  });

  test.each<[string, (socket: Socket) => void, string, number?]>([
    ['refuses connections', (socket) => socket.write('554 no service\r\n'), 'is not a mail server'],
    ['speaks HTTP', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'is not a mail server'],
    ['closes the connection', (socket) => socket.end(), 'it closed the connection'],
    ['sends nothing', () => {}, 'no greeting within 0.1 s', 100],
  ])('reports a server that %s', async (_what, answer, detail, timeoutMs) => {
    const finding = await check(await listen(answer), timeoutMs);
    expect(finding).toMatchObject({
      state: 'failed',
      detail: containing(detail),
      mend: containing('SMTP_URL'),
    });
    expect(JSON.stringify(finding)).not.toContain('hidden');
  });

  test('reports that nothing listens, and a server that does not speak TLS on an smtps: address', async () => {
    for (const url of ['smtp://127.0.0.1:1', 'smtps://127.0.0.1:1', 'smtp://[::1]:1'])
      expect(await check(url)).toMatchObject({ state: 'failed', detail: containing('does not answer') });
    const url = await listen(greet);
    expect(await check(url.replace('smtp:', 'smtps:'))).toMatchObject({ state: 'failed' });
  });
});

describe('backoffice doctor --server', () => {
  const here = backofficeHere();

  async function examined(server: string, BACKOFFICE_TOKEN: string) {
    const args = ['doctor', '--json', '--server', server];
    const { code, stdout } = await backoffice(args, { env: { BACKOFFICE_TOKEN } });
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    return { code, ...Object.fromEntries(checks.map(({ check, state }) => [check, state])) };
  }

  test('passes if it is ready and takes the token, and fails if not, or if it is another one', async () => {
    const { url } = here.service;
    const { secret } = await here.service.createToken('user');
    const passed = { node: 'ok', configuration: 'ok', server: 'ok', clock: 'ok', token: 'ok' };
    expect(await examined(url, secret)).toEqual({ code: 0, ...passed });
    const refused = { code: 1, server: 'ok', token: 'failed' };
    expect(await examined(url, 'bo_unknown')).toMatchObject(refused);
    expect(await examined('http://127.0.0.1:1', secret)).toMatchObject({ code: 1, server: 'failed' });
    const page = createHttpServer((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end());
    onTestFinished(() => void page.close());
    const other = `http://127.0.0.1:${await listenOnLoopback(page)}`;
    expect(await examined(other, secret)).toMatchObject({ code: 1, server: 'failed' });
  });
});
