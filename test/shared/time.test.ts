import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toInstant } from '../../src/shared/time.ts';
import {
  atMost,
  createBackoff,
  latestOnly,
  shareNext,
  singleFlight,
  wait,
  within,
} from '../../src/shared/waiting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('wait resolves after the time, or when the signal aborts or has already, and leaves no timer', async () => {
  const controller = new AbortController();
  const resolved = vi.fn();
  const [timed, aborted] = [wait(1_000).then(resolved), wait(9_000, controller.signal)];
  await vi.advanceTimersByTimeAsync(999);
  expect(resolved).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await timed;
  controller.abort();
  await aborted;
  await wait(1_000, controller.signal);
  expect(vi.getTimerCount()).toBe(0);
});

test('a limit settles as the work does and leaves no timer, or ends after the time', async () => {
  const limits = [
    <T>(work: Promise<T>) => within(1_000, work, () => new Error('too late')),
    <T>(work: Promise<T>) => atMost(1_000, work),
  ];
  for (const limited of limits) {
    expect(await limited(Promise.resolve('done'))).toBe('done');
    await expect(limited(Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
    expect(vi.getTimerCount()).toBe(0);
  }
  const late = Promise.allSettled(limits.map((limited) => limited(new Promise(() => {}))));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toMatchObject([{ reason: { message: 'too late' } }, { status: 'fulfilled' }]);
});

describe('a backoff', () => {
  test('doubles the delay up to the maximum, and starts again after a reset', () => {
    const backoff = createBackoff({ firstMs: 100, maxMs: 500 });
    expect(Array.from({ length: 5 }, () => backoff.next())).toEqual([100, 200, 400, 500, 500]);
    backoff.reset();
    expect(backoff.next()).toBe(100);
    backoff.setFirstMs(150);
    expect([backoff.next(), backoff.next()]).toEqual([300, 500]);
  });

  test('takes a random part off the delay', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const backoff = createBackoff({ firstMs: 100, maxMs: 150, jitter: 0.5 });
    expect([backoff.next(), backoff.next()]).toEqual([75, 112.5]);
  });
});

test('drops an answer that arrives after the answer to a later request', () => {
  const start = latestOnly();
  const [first, second, third] = [start(), start(), start()];
  expect(second()).toBe(true);
  expect(first()).toBe(false);
  expect(third()).toBe(true);
});

function controlledWork() {
  const calls: PromiseWithResolvers<string>[] = [];
  const work = vi.fn(() => {
    const call = Promise.withResolvers<string>();
    calls.push(call);
    return call.promise;
  });
  return { calls, work };
}

describe('singleFlight', () => {
  test('shares one call among all requests while it is running, failed or not', async () => {
    const { calls, work } = controlledWork();
    const flight = singleFlight(work);
    const both = Promise.allSettled([flight.run(), flight.run()]);
    expect(work).toHaveBeenCalledTimes(1);
    calls[0]?.reject('no luck');
    expect(await both).toEqual(Array(2).fill({ status: 'rejected', reason: 'no luck' }));
    const second = flight.run();
    calls[1]?.resolve('done');
    expect(await second).toBe('done');
  });

  test('starts the work again after forget, and the earlier call does not end the later one', async () => {
    const { calls, work } = controlledWork();
    const flight = singleFlight(work);
    const first = flight.run();
    flight.forget();
    const second = flight.run();
    expect(work).toHaveBeenCalledTimes(2);
    calls[0]?.resolve('old');
    expect(await first).toBe('old');
    expect(flight.run()).toBe(second);
    calls[1]?.resolve('new');
    expect(await second).toBe('new');
  });
});

describe('shareNext', () => {
  test('answers all requests that arrive during a call with one more call, failed or not', async () => {
    const { calls, work } = controlledWork();
    const request = shareNext(work);
    const [first, ...others] = [request(), request(), request()];
    expect(work).toHaveBeenCalledTimes(1);
    calls[0]?.reject(new Error('no luck'));
    await expect(first).rejects.toThrow('no luck');
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
    const late = request();
    calls[1]?.resolve('second');
    expect(await Promise.all(others)).toEqual(['second', 'second']);
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(3));
    calls[2]?.resolve('third');
    expect(await late).toBe('third');
  });

  test('waits for the pause before the next call', async () => {
    const work = vi.fn(async () => 'done');
    const request = shareNext(work, () => wait(1_000));
    const both = [request(), request()];
    await vi.advanceTimersByTimeAsync(999);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(2);
    expect(await Promise.all(both)).toEqual(['done', 'done']);
  });
});

test.for([
  ['2026-02-28', '2026-02-28T00:00:00.000Z'],
  ['2026-02-28T09:30:15.1234Z', '2026-02-28T09:30:15.123Z'],
  ['2026-02-28T09:30+02:00', '2026-02-28T07:30:00.000Z'],
] as const)('reads %s as %s', ([text, instant]) => {
  expect(toInstant(text)).toBe(instant);
});

test.for([
  ...['', 'yesterday', '2026', '2026-02-31', '2026-13-01', '0000-12-31', '2026-02-28T25:00'],
  ...['2026-02-28 09:30', '0001-01-01T00:00+01:00', '9999-12-31T23:59:59-01:00'],
])('does not read %j', (text) => {
  expect(toInstant(text)).toBeUndefined();
});
