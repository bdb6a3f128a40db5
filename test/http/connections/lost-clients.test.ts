import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { LostClients } from '../../../src/http/connections/lost-clients.ts';
import {
  type ConnectionKey,
  connectionKey,
  parseTable,
  readRetransmissions,
} from '../../../src/http/connections/retransmissions.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) close();
});

/** Opens a connection on the loopback, and returns the end of the server. */
async function connection(listenOn: string, connectTo: string): Promise<Socket> {
  const server = createServer().listen(0, listenOn);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const client = connect(port, connectTo);
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => {});
  closing.push(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  return socket;
}

function keyOf(socket: Socket): ConnectionKey {
  return connectionKey(socket) ?? expect.fail('The connection is closed.');
}

/** What Linux lists of a connection to 10.77.12.2 whose network has vanished, of a quiet one, and of a listener. */
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
  14: 00000000:4736 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 546778 1 00000000f8bf1cdb 100 0 0 10 0
 294: 0100007F:4736 0100007F:BFC2 01 00000000:00000000 02:000000F9 00000000     0        0 548031 2 00000000f54bbe8d 20 4 30 10 -1
 295: 010C4D0A:4736 020C4D0A:BFC0 01 0000005C:00000000 01:000000F9 00000016     0        0 548032 2 00000000f54bbe8d 326 4 30 1 -1
`;

test('reads how often Linux sends again what nobody acknowledges', () => {
  expect(parseTable(table)).toEqual([['010C4D0A:4736 020C4D0A:BFC0', 0x16]]);
  expect(parseTable('')).toEqual([]);
});

test.runIf(process.platform === 'linux').each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['::', '127.0.0.1'],
])('names the ends of a connection from %s to %s as Linux does', async (listenOn, connectTo) => {
  const socket = await connection(listenOn, connectTo);
  const listed = await readFile(`/proc/self/net/${listenOn === '127.0.0.1' ? 'tcp' : 'tcp6'}`, 'latin1');
  expect(listed).toContain(` ${keyOf(socket)} 01 `);
  expect((await readRetransmissions()).has(keyOf(socket))).toBe(false);
});

test('disconnects a client that leaves bytes without an answer, and no other', async () => {
  const [lost, slow, quiet] = [
    await connection('127.0.0.1', '127.0.0.1'),
    await connection('127.0.0.1', '127.0.0.1'),
    await connection('127.0.0.1', '127.0.0.1'),
  ];
  const [keyOfLost, keyOfSlow] = [keyOf(lost), keyOf(slow)];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  let checks = 0;
  const clients = new LostClients({
    intervalMs: 15_000,
    timeoutMs: 30_000,
    async read() {
      checks += 1;
      // The slow one answers in between, which begins its count again.
      return new Map([
        [keyOfLost, checks],
        [keyOfSlow, 1 + (checks % 2)],
      ]);
    },
  });
  for (const socket of [lost, slow, quiet]) clients.watch(socket);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(lost.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(lost.destroyed).toBe(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect([checks, slow.destroyed, quiet.destroyed]).toEqual([43, false, false]);
});

test('asks only while somebody is connected', async () => {
  const started = async () => {
    const socket = await connection('127.0.0.1', '127.0.0.1');
    const checks = { count: 0 };
    const clients = new LostClients({
      intervalMs: 1,
      async read() {
        checks.count += 1;
        return new Map();
      },
    });
    clients.watch(socket);
    await expect.poll(() => checks.count).toBeGreaterThan(0);
    return { socket, checks };
  };
  const ended = await started();
  ended.socket.destroy();
  await once(ended.socket, 'close');
  const { count } = ended.checks;
  const other = await started();
  await expect.poll(() => other.checks.count).toBeGreaterThan(20);
  expect(ended.checks.count).toBe(count);
});
