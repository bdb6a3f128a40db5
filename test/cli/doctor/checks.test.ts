import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { checkNode, judgeSpace } from '../../../cli/doctor/machine.ts';
import { checkMail, checkPublicUrl } from '../../../cli/doctor/mail.ts';
import { judgeServer } from '../../../cli/doctor/server-facts.ts';
import { readConfig } from '../../../src/config.ts';
import type { ServerFacts } from '../../../src/db/connection/inspect-server.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { backoffice } from '../../support/run.ts';

describe('judgements', () => {
  const good: ServerFacts = {
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

  describe('judgeServer', () => {
    test('accepts a good server', () => {
      expect(judgeServer(good).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
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
    ])('judges %j as %s', (change, state, detail) => {
      const findings = judgeServer({ ...good, ...change }).filter((finding) => finding.state !== 'ok');
      expect(findings).toEqual([
        {
          check: expect.any(String),
          state,
          detail: expect.stringContaining(detail),
          mend: expect.any(String),
        },
      ]);
    });
  });

  describe('the checks of the machine', () => {
    test.each([
      [50_000_000, 'failed'],
      [500_000_000, 'warning'],
      [5_000_000_000, 'ok'],
    ])('judge %i bytes of free space as %s', (bytes, state) => {
      expect(judgeSpace(bytes, '/data')).toMatchObject({ check: 'disk', state });
    });

    test.each([
      ['22.1.0', 'failed'],
      ['24.0.0', 'ok'],
      ['26.3.1', 'ok'],
    ])('judge Node %s as %s', (version, state) => {
      expect(checkNode(version)).toMatchObject({ check: 'node', state });
    });
  });
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

  test('accepts a configuration without mail', async () => {
    expect(await check('')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^off: without SMTP_URL/),
    });
  });

  test('warns that the links in mails lead to this machine, if nobody has said where people reach the service', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    expect(checkPublicUrl(readConfig({ SMTP_URL, PORT: '8080' }))).toMatchObject([
      {
        state: 'warning',
        detail: 'links in mails lead to http://localhost:8080',
        mend: expect.stringContaining('BACKOFFICE_PUBLIC_URL'),
      },
    ]);
    expect(
      checkPublicUrl(readConfig({ SMTP_URL, BACKOFFICE_PUBLIC_URL: 'https://desk.example.com' })),
    ).toEqual([]);
    expect(checkPublicUrl(readConfig({}))).toEqual([]);
  });

  test('accepts a server that sends a greeting', async () => {
    const url = await listen((socket) => socket.write('220 mail.example.com ESMTP ready\r\n'));
    expect(await check(url)).toMatchObject({ state: 'ok', detail: expect.stringContaining('is ready') });
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ['refuses connections', (socket) => socket.write('554 no service\r\n'), 'is not a mail server'],
    [
      'is not a mail server',
      (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'is not a mail server',
    ],
    ['closes the connection', (socket) => socket.end(), 'it closed the connection'],
  ])('reports a server that %s', async (_what, answer, detail) => {
    const finding = await check(await listen(answer));
    expect(finding).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(detail),
      mend: expect.stringContaining('SMTP_URL'),
    });
    expect(JSON.stringify(finding)).not.toContain('hidden');
  });

  test('reports a server that sends nothing', async () => {
    expect(await check(await listen(() => {}), 100)).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('no greeting within 0.1 s'),
    });
  });

  test.each(['smtp://127.0.0.1:1', 'smtps://127.0.0.1:1', 'smtp://[::1]:1'])(
    'reports that nothing listens at %s',
    async (url) => {
      expect(await check(url)).toMatchObject({
        state: 'failed',
        detail: expect.stringContaining('does not answer'),
      });
    },
  );

  test('reports a server that does not speak TLS on an smtps: address', async () => {
    const url = await listen((socket) => socket.write('220 mail.example.com ESMTP ready\r\n'));
    expect(await check(url.replace('smtp:', 'smtps:'))).toMatchObject({ state: 'failed' });
  });
});

describe('backoffice doctor --server', () => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startTestService();
    token = (await service.createToken('user')).secret;
  });

  afterAll(async () => {
    await service.stop();
  });

  async function examined(server: string, BACKOFFICE_TOKEN = token) {
    const { code, stdout } = await backoffice(['doctor', '--json', '--server', server], {
      env: { BACKOFFICE_TOKEN },
    });
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    return { code, ...Object.fromEntries(checks.map(({ check, state }) => [check, state])) };
  }

  test('passes for a server that is ready and accepts the token', async () => {
    const passed = { node: 'ok', configuration: 'ok', server: 'ok', clock: 'ok', token: 'ok' };
    expect(await examined(service.url)).toEqual({ code: 0, ...passed });
  });

  test('reports a server that rejects the token, is unreachable, or is another one', async () => {
    const refused = { code: 1, server: 'ok', token: 'failed' };
    expect(await examined(service.url, 'bo_unknown')).toMatchObject(refused);
    expect(await examined('http://127.0.0.1:1')).toMatchObject({ code: 1, server: 'failed' });
    const page = createHttpServer((_req, res) =>
      res.writeHead(200, { 'content-type': 'text/html' }).end('Hi'),
    );
    const url = `http://127.0.0.1:${await listenOnLoopback(page)}`;
    expect(await examined(url)).toMatchObject({ code: 1, server: 'failed' });
    page.close();
  });
});
