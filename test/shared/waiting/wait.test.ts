import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { atMost, wait, within } from '../../../src/shared/waiting/wait.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => {});

describe('wait', () => {
  test('resolves after the time', async () => {
    const resolved = vi.fn();
    void wait(1_000).then(resolved);
    await vi.advanceTimersByTimeAsync(999);
    expect(resolved).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(resolved).toHaveBeenCalled();
  });

  test('resolves when the signal aborts, and leaves no timer', async () => {
    const controller = new AbortController();
    const waiting = wait(1_000, controller.signal);
    controller.abort();
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('resolves at once if the signal has already aborted', async () => {
    await wait(1_000, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  });

  test('leaves no listener on the signal after the time', async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    const waiting = wait(1_000, signal);
    await vi.advanceTimersByTimeAsync(1_000);
    await waiting;
    expect(remove).toHaveBeenCalledWith('abort', expect.any(Function));
  });
});

describe('within', () => {
  const onTimeout = () => new Error('too late');

  test('settles as the work does, and leaves no timer', async () => {
    expect(await within(1_000, Promise.resolve('done'), onTimeout)).toBe('done');
    await expect(within(1_000, Promise.reject(new Error('no luck')), onTimeout)).rejects.toThrow('no luck');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('rejects with the given error after the time', async () => {
    const late = expect(within(1_000, never(), onTimeout)).rejects.toThrow('too late');
    await vi.advanceTimersByTimeAsync(1_000);
    await late;
  });
});

describe('atMost', () => {
  test('settles as the work does, and leaves no timer', async () => {
    expect(await atMost(1_000, Promise.resolve('done'))).toBe('done');
    await expect(atMost(1_000, Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('resolves with undefined after the time', async () => {
    const late = expect(atMost(1_000, never())).resolves.toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    await late;
  });

  test('does not keep the process alive', async () => {
    vi.useRealTimers();
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const work = Promise.withResolvers<void>();
    const waiting = atMost(60_000, work.promise);
    expect(setTimer.mock.results[0]?.value.hasRef()).toBe(false);
    work.resolve();
    await waiting;
  });
});
