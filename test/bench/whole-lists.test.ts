import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { measureWhile } from '../../bench/figures/whole-lists.ts';
import { listenOnLoopback } from '../support/receivers/listen.ts';

test('asks the server nothing more once a list has failed, and says why it has', async () => {
  const server = createServer((_req, res) => res.end('{}'));
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  onTestFinished(() => void server.close());
  const contender = { url, headers: {}, peakMemoryMb: async () => 1, stop: async () => {} };
  const measuring = measureWhile(contender, async () => {
    throw new Error('The list failed with status 503.');
  });
  await expect(measuring).rejects.toThrow('The list failed with status 503.');
  const countConnections = promisify(server.getConnections.bind(server));
  await expect.poll(() => countConnections()).toBe(0);
});
