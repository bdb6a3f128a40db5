import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();

/** Sends raw bytes, and returns everything that comes back. */
async function send(bytes: string): Promise<string> {
  const { hostname, port } = new URL(backoffice.service.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return await text(socket);
}

test.each([
  ['a request that is not HTTP', 'nonsense\r\n\r\n', '400 Bad Request', 'The request is not valid HTTP.'],
  [
    'a header that is too long',
    `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'The request header is too long.',
  ],
])('%s gets an { error } like every other error', async (_what, bytes, status, error) => {
  const response = await send(bytes);
  expect(response).toContain(`HTTP/1.1 ${status}\r\n`);
  expect(response).toContain(`\r\n\r\n${JSON.stringify({ error })}`);
});
