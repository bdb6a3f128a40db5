import { expect, test } from 'vitest';
import { shareRuns } from '../../../src/shared/waiting/share-runs.ts';

const longMs = 60_000;

/** Work whose runs end when the test says so. */
function controlledWork() {
  const runs: PromiseWithResolvers<number>[] = [];
  const work = () => {
    runs.push(Promise.withResolvers());
    return runs.at(-1)?.promise as Promise<number>;
  };
  return { work, runs };
}

test('calls that arrive during a run share the next one, which begins after them', async () => {
  const share = shareRuns(longMs);
  const { work, runs } = controlledWork();
  const first = share('key', work);
  const others = [share('key', work), share('key', work)];
  await Promise.resolve();
  expect(runs).toHaveLength(1);

  runs[0]?.resolve(1);
  expect(await first).toBe(1);
  await expect.poll(() => runs.length).toBe(2);
  const late = share('key', work);
  runs[1]?.resolve(2);
  expect(await Promise.all(others)).toEqual([2, 2]);

  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve(3);
  expect(await late).toBe(3);
  const alone = share('key', work);
  expect(runs).toHaveLength(4);
  runs[3]?.resolve(4);
  expect(await alone).toBe(4);
});

test('other keys run at once', async () => {
  const share = shareRuns(longMs);
  const { work, runs } = controlledWork();
  void share('a', work);
  void share('b', work);
  expect(runs).toHaveLength(2);
});

test('a call runs the work by itself if the shared run fails or takes too long', async () => {
  for (const [maxWaitMs, end] of [
    [longMs, (run?: PromiseWithResolvers<number>) => run?.reject(new Error('of another'))],
    [5, () => {}],
  ] as const) {
    const share = shareRuns(maxWaitMs);
    const { work, runs } = controlledWork();
    const first = share('key', work);
    const second = share('key', work);
    runs[0]?.reject(new Error('the first fails'));
    await expect(first).rejects.toThrow('the first fails');
    await expect.poll(() => runs.length).toBe(2);
    end(runs[1]);
    await expect.poll(() => runs.length).toBe(3);
    runs[2]?.resolve(3);
    expect(await second).toBe(3);
  }
});
