import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkMail, checkPublicUrl } from '../../../cli/doctor/mail.ts';
import { readConfig } from '../../../src/config.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';

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
  expect(checkPublicUrl(readConfig({ SMTP_URL, BACKOFFICE_PUBLIC_URL: 'https://desk.example.com' }))).toEqual(
    [],
  );
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
