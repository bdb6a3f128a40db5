import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RightOfWay } from '../../../src/shared/waiting/right-of-way.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Takes a step of long work, and reports whether it could go on. */
function step(rightOfWay: RightOfWay) {
  const passed = vi.fn();
  void rightOfWay.give().then(passed);
  return async () => {
    await vi.advanceTimersByTimeAsync(0);
    return passed.mock.calls.length > 0;
  };
}

test('long work goes on at once while nothing is urgent', async () => {
  const rightOfWay = new RightOfWay();
  expect(await step(rightOfWay)()).toBe(true);
  await expect(rightOfWay.take(() => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(await step(rightOfWay)()).toBe(true);
});

test('long work waits until the last urgent work has ended', async () => {
  const rightOfWay = new RightOfWay();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const taken = rightOfWay.take(() => first.promise);
  void rightOfWay.take(() => second.promise);
  const hasPassed = step(rightOfWay);
  first.resolve('done');
  expect(await taken).toBe('done');
  expect(await hasPassed()).toBe(false);
  second.resolve();
  expect(await hasPassed()).toBe(true);
});

test('long work goes on in steps while urgent work never ends', async () => {
  const rightOfWay = new RightOfWay();
  void rightOfWay.take(() => new Promise(() => {}));
  for (let steps = 0; steps < 3; steps++) {
    const hasPassed = step(rightOfWay);
    await vi.advanceTimersByTimeAsync(99);
    expect(await hasPassed()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await hasPassed()).toBe(true);
  }
});
