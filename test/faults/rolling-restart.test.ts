import { expect, test } from 'vitest';
import { databaseHere } from '../support/postgres.ts';
import { serveProcess } from '../support/run/server.ts';
import { createTokenIn } from './support/load.ts';
import { type Instance, restartInTurn } from './support/rolling-restart.ts';

const own = databaseHere();
/** `REQUESTS_PER_SECOND=50 npm run test:faults` sends fewer, on a machine that is slow or busy. */
const requestsPerSecond = Number(process.env.REQUESTS_PER_SECOND ?? 200);

/** Starts `backoffice serve`, which is stopped by SIGTERM. */
async function start(): Promise<Instance> {
  const { url, command } = await serveProcess(own.url, { BACKOFFICE_DRAIN_SECONDS: '5' });
  return {
    url,
    async stop() {
      const { code } = await command.stop('SIGTERM');
      expect(code).toBe(0);
    },
  };
}

test('two instances are restarted in turn under load with 20 followers', async () => {
  const { sent, failures, events, received } = await restartInTurn({
    start,
    databaseUrl: own.url,
    token: await createTokenIn(own.url),
    requestsPerSecond,
    followers: 20,
    rounds: 2,
    steadyMs: 2_000,
    checkMs: 500,
  });
  const missed = received.map((ids) => events.filter((id) => !ids.includes(id)).length);
  console.log(
    `${sent} requests, ${JSON.stringify(failures)} failed; ${events.length} events, ${Math.max(...missed)} missed by any of ${received.length} followers`,
  );
  expect(failures).toEqual({});
  for (const ids of received) expect(ids).toEqual(events);
});
