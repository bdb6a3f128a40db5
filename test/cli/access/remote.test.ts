import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { remoteAccess } from '../../../cli/access/remote.ts';
import { NotConnectedError } from '../../../cli/errors.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each<[string, RequestListener]>([
  ['nothing', () => {}],
  ['the beginning of an answer', (_req, res) => void res.writeHead(200).write('{"success":')],
])('gives a server up that says %s', async (_what, listener) => {
  const url = await serve(listener);
  const asked = remoteAccess(url, 'bo_token', { patience: 100 }).call('session.show');
  await expect(asked).rejects.toThrow(new NotConnectedError(`${url} does not answer.`));
});
