import { describe, expect, test, vi } from 'vitest';
import { coalesce, singleFlight } from '../../../src/shared/waiting/single-flight.ts';

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
  test('shares one call among all requests while it is running', async () => {
    const { calls, work } = controlledWork();
    const flight = singleFlight(work);
    const both = [flight.run(), flight.run()];
    expect(work).toHaveBeenCalledTimes(1);
    calls[0]?.resolve('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
  });

  test('starts the work again after it has settled, failed or not', async () => {
    const { calls, work } = controlledWork();
    const flight = singleFlight(work);
    const first = flight.run();
    calls[0]?.reject(new Error('no luck'));
    await expect(first).rejects.toThrow('no luck');
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

describe('coalesce', () => {
  test('answers all requests that arrive during a call with one more call', async () => {
    const { calls, work } = controlledWork();
    const request = coalesce(async (_subject: string) => void (await work()));
    request('a');
    request('a');
    request('a');
    expect(work).toHaveBeenCalledTimes(1);
    calls[0]?.resolve('');
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
    calls[1]?.resolve('');
    await calls[1]?.promise;
    request('a');
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(3));
  });

  test('does not make one subject wait for another', () => {
    const work = vi.fn(() => new Promise<void>(() => {}));
    const request = coalesce(work);
    request('a');
    request('b');
    expect(work.mock.calls).toEqual([['a'], ['b']]);
  });
});
