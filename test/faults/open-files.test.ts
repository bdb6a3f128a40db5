import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bearer } from '../support/here/requests.ts';
import { databaseHere } from '../support/postgres.ts';
import { startBackoffice } from '../support/run/process.ts';
import { createTokenIn } from './support/load.ts';

const own = databaseHere();
/** Enough for the service and some connections. */
const maxOpenFiles = 110;
const atOnce = 30;

test('a service that may open no more files answers in JSON, and all it takes to go on is that some are closed', async () => {
  const headers = bearer(await createTokenIn(own.url));
  const command = startBackoffice(['serve'], {
    env: {
      DATABASE_URL: own.url,
      SESSION_SECRET: 'the secret of a server without files',
      LOG_LEVEL: 'error',
    },
    maxOpenFiles,
  });
  onTestFinished(async () => void (await command.stop()));
  const url = (await command.shows(/listens on (\S+)/))[1] ?? '';
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  onTestFinished(() => agent.destroy());

  /** Sends requests at once, over connections that stay open. Returns their statuses and what they say of errors. */
  async function send(
    path: string,
  ): Promise<readonly (readonly [number | undefined, string, string | undefined])[]> {
    return await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const sent = request(url + path, { agent, headers }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        const { error = '' } = JSON.parse(await text(response)) as { error?: string };
        return [response.statusCode, error, response.headers['retry-after']] as const;
      }),
    );
  }

  expect(new Set((await send('/healthz')).map(([status]) => status))).toEqual(new Set([200]));
  const { hostname, port } = new URL(url);
  const others: Socket[] = [];
  let refused = 0;
  while (refused < 5) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.once('close', () => refused++);
    others.push(socket);
    await pause(5);
  }
  const answers = await send('/api/admin/issues?limit=1');
  const failures = answers.filter(([status]) => status !== 200);
  console.log(`${others.length} connections; ${failures.length} of ${answers.length} requests failed`);
  expect(failures.length).toBeGreaterThan(0);
  expect(new Set(failures.map(String))).toEqual(new Set(['500,The database is unavailable.,2']));
  expect((await send('/healthz')).every(([status]) => status === 200)).toBe(true);

  for (const socket of others) socket.destroy();
  await expect
    .poll(async () => (await send('/api/admin/issues?limit=1')).every(([status]) => status === 200))
    .toBe(true);
  expect(command.process.exitCode).toBeNull();
});
