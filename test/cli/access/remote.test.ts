import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { remoteAccess } from '../../../cli/access/remote.ts';
import { NotConnectedError } from '../../../cli/errors.ts';
import { listenOnLoopback } from '../../support/servers/listen.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

test.each<[string, RequestListener]>([
  ['nothing', () => {}],
  ['the start of an answer', (_req, res) => void res.writeHead(200).write('{"success":')],
])('stops waiting for a server that sends %s', async (_what, listener) => {
  const url = await serve(listener);
  const call = remoteAccess(url, 'bo_token', { timeoutMs: 100 }).call('session.show');
  await expect(call).rejects.toThrow(
    new NotConnectedError(`${url} did not answer. Check that it is running.`),
  );
});
