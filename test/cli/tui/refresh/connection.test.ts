import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchConnection } from '../../../../cli/tui/refresh/connection.ts';

describe('a lost connection', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is retried after 1, 2, 4, 8, and then every 10 seconds', () => {
    const retriedAt: number[] = [];
    const watch = watchConnection({
      clock: Date.now,
      onChange: () => {},
      retry() {
        retriedAt.push(Date.now());
        watch.failed('The server is away.');
      },
    });
    watch.failed('The server is away.');
    vi.advanceTimersByTime(36_000);
    expect(retriedAt).toEqual([1_000, 3_000, 7_000, 15_000, 25_000, 35_000]);
    watch.succeeded();
    watch.failed('The server is away.');
    vi.advanceTimersByTime(1_000);
    expect(retriedAt.at(-1)).toBe(37_000);
    watch.stop();
  });

  test('is reported once, with the time of the next retry', () => {
    const onChange = vi.fn();
    const watch = watchConnection({ clock: Date.now, onChange, retry: () => {} });
    watch.succeeded();
    watch.failed('The server is away.');
    watch.failed('The server is still away.');
    watch.succeeded();
    watch.succeeded();
    expect(onChange.mock.calls).toEqual([
      [{ state: 'lost', reason: 'The server is away.', retryAt: 1_000 }],
      [{ state: 'up', reason: '' }],
    ]);
  });

  test('is not retried after a stop', () => {
    const retry = vi.fn();
    const watch = watchConnection({ clock: Date.now, onChange: () => {}, retry });
    watch.failed('The server is away.');
    watch.stop();
    watch.failed('The server is away.');
    vi.advanceTimersByTime(60_000);
    expect(retry).not.toHaveBeenCalled();
  });
});
