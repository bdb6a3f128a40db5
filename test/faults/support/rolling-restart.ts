import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../../src/contract/client/client.ts';
import { follow, followAsBrowser } from '../../support/here/events.ts';
import { bearer } from '../../support/here/requests.ts';
import { queryRows } from '../../support/postgres/seeded.ts';
import { startProxy } from '../../support/receivers/proxy.ts';
import { readOrChange, startSteadyLoad } from './load.ts';

/** A running instance of the service. */
interface Instance {
  readonly url: string;
  /** Stops it as SIGTERM does. */
  stop(): Promise<unknown>;
}

interface RollingRestart {
  readonly start: () => Promise<Instance>;
  readonly databaseUrl: string;
  readonly token: string;
  readonly requestsPerSecond: number;
  /** Half of them follow as our client does, half as a browser does. */
  readonly followers: number;
  /** How often each of the two instances is restarted. */
  readonly rounds: number;
  /** How long the load goes on before, between and after the restarts. */
  readonly steadyMs: number;
  /** How often the proxy asks for readiness. */
  readonly checkMs: number;
}

/**
 * Restarts two instances behind a proxy in turn, under load.
 *
 * @returns the number of requests and what went wrong with some, the ids of the events that each follower should have
 *   received, in order, and those that each has received
 */
export async function restartInTurn(options: RollingRestart) {
  const { start, databaseUrl, token, rounds, steadyMs, checkMs } = options;
  const proxy = await startProxy({ checkMs });
  const instances = [await start(), await start()];
  try {
    for (const { url } of instances) await proxy.add(url);
    const client = createClient({ baseUrl: proxy.url, token });
    const [newest] = await queryRows<{ id: number }>(databaseUrl, 'select max(id)::int as id from events');
    const before = newest?.id ?? 0;
    const half = Array.from({ length: options.followers / 2 });
    const ours = await Promise.all(half.map(() => follow(client, { after: before })));
    const browsers = half.map(() => followAsBrowser(proxy.url, bearer(token), before));

    const load = startSteadyLoad(options.requestsPerSecond, async (number) => {
      const { status, text } = await readOrChange(proxy.url, token, number);
      if (status !== 200) throw new Error(`${status} ${text}`);
    });
    await pause(steadyMs);
    for (let turn = 0; turn < 2 * rounds; turn++) {
      const stopped = instances[turn % 2] as Instance;
      await stopped.stop();
      proxy.remove(stopped.url);
      const next = await start();
      instances[turn % 2] = next;
      await proxy.add(next.url);
      await pause(steadyMs);
    }
    const { sent, failures } = await load.finish();

    await client.call('settings.update', { key: 'last', value: 'change' });
    const events = await eventsUntilSetting(databaseUrl, before);
    const last = events.at(-1) ?? 0;
    await Promise.all(ours.map((follower) => follower.until(({ id }) => id === last)));
    await Promise.all(browsers.map((browser) => browser.until(last)));
    await Promise.all([...ours, ...browsers].map((follower) => follower.stop()));
    const received = [
      ...ours.map((one) => one.received.map(({ id }) => id)),
      ...browsers.map((one) => one.received),
    ];
    return { sent, failures, events, received };
  } finally {
    await proxy.close();
    for (const instance of instances) await instance.stop().catch(() => {});
  }
}

/** Returns the ids of the events after an id, up to that of the setting that was changed last. */
async function eventsUntilSetting(databaseUrl: string, after: number): Promise<number[]> {
  const select = `select id::int, type from events where id > ${after} order by id`;
  for (;;) {
    const events = await queryRows<{ id: number; type: string }>(databaseUrl, select);
    if (events.at(-1)?.type === 'setting.updated') return events.map(({ id }) => id);
    await pause(20);
  }
}
