import { expect, test } from 'vitest';
import type { Client } from '../../src/contract/client/client.ts';
import { backofficeHere } from '../support/here.ts';

const backoffice = backofficeHere();
const batches = 20;
const maxWaitMs = 100;

const batch = (value: number) => ({
  updates: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key_${n}`, `${value} `.repeat(50)])),
});

/** The changes of others, one of them of a setting that the batches write too. */
const changes: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'a new issue': (client) => client.call('issues.create', { title: 'Meanwhile' }),
  'another setting': (client) => client.call('settings.update', { key: 'other', value: 'x' }),
  'a setting of the batch': (client) => client.call('settings.update', { key: 'key_500', value: 'x' }),
};

/** Makes changes one after the other until the work is done. Returns how long each took, in order. */
async function timeDuring(work: () => Promise<unknown>, change: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const start = performance.now();
    await change();
    times.push(performance.now() - start);
  }
  await working;
  return times.toSorted((a, b) => a - b);
}

test.for(Object.entries(changes))(
  '%s waits no longer than 100 ms for a batch of 1,000 settings',
  async ([what, change]) => {
    const { client } = await backoffice.service.signIn('user');
    const write = async () => {
      for (let n = 0; n < batches; n++) await client.call('settings.update', batch(n));
    };
    await write();
    const times = await timeDuring(write, () => change(backoffice.superadmin.client));
    const [median, longest] = [times[times.length >> 1] ?? 0, times.at(-1) ?? 0];
    console.log(
      `${what}: ${times.length} changes, median ${median.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`,
    );
    expect(longest).toBeLessThanOrEqual(maxWaitMs);
  },
);
