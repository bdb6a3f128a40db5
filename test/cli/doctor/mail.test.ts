import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkMail } from '../../../cli/doctor/mail.ts';
import { readConfig } from '../../../src/config.ts';

/** A server that does this with each connection; its SMTP_URL. */
async function listen(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    answer(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `smtp://mailer:hidden@127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const check = (url: string) => checkMail(readConfig({ SMTP_URL: url }));

test('is content where no mail is configured', async () => {
  expect(await check('')).toEqual({ check: 'mail', state: 'ok', detail: 'not configured' });
});

test('is content with a server that greets', async () => {
  const url = await listen((socket) => socket.write('220 mail.example.com ESMTP ready\r\n'));
  expect(await check(url)).toMatchObject({ state: 'ok', detail: expect.stringContaining('is ready') });
});

test.each<[string, (socket: Socket) => void, string]>([
  ['refuses everybody', (socket) => socket.write('554 no service\r\n'), 'does not greet as a mail server'],
  ['is something else', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'does not greet'],
  ['hangs up', (socket) => socket.end(), 'it hangs up'],
  ['says nothing', () => {}, 'within 5 s'],
])('finds a server that %s', async (_what, answer, detail) => {
  const finding = await check(await listen(answer));
  expect(finding).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining(detail),
    mend: expect.stringContaining('SMTP_URL'),
  });
  expect(JSON.stringify(finding)).not.toContain('hidden');
});

test.each(['smtp://127.0.0.1:1', 'smtps://127.0.0.1:1', 'smtp://[::1]:1'])(
  'finds that %s is not there',
  async (url) => {
    expect(await check(url)).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('does not answer'),
    });
  },
);

test('finds a server that speaks no TLS where it should', async () => {
  const url = await listen((socket) => socket.write('220 mail.example.com ESMTP ready\r\n'));
  expect(await check(url.replace('smtp:', 'smtps:'))).toMatchObject({ state: 'failed' });
});
