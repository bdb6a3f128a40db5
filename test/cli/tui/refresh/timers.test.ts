import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Connection } from '../../../../cli/tui/refresh/connection.ts';
import { startTimers } from '../../../../cli/tui/refresh/timers.ts';
import { createStore } from '../../../../cli/tui/state/store.ts';

const second = 1_000;
const minute = 60 * second;

describe('the timers of the dashboard', () => {
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  function start(connection: Partial<Connection>) {
    const up: Connection = { state: 'up', reason: '', retryAt: 0, live: false };
    const store = createStore({ connection: { ...up, ...connection }, now: Date.now() });
    const refresh = vi.fn();
    const drawn = vi.fn();
    store.subscribe(drawn);
    stop = startTimers({ store, clock: Date.now, refresh });
    return { store, refresh, drawn };
  }

  test('refresh every 5 seconds without an event stream', () => {
    const { refresh } = start({ live: false });
    vi.advanceTimersByTime(minute);
    expect(refresh).toHaveBeenCalledTimes(12);
  });

  test('refresh every 30 seconds with an event stream', () => {
    const { refresh } = start({ live: true });
    vi.advanceTimersByTime(29 * second);
    expect(refresh).not.toHaveBeenCalled();
    vi.advanceTimersByTime(31 * second);
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  test('do not refresh while the connection is lost, which has its own retries', () => {
    const { store, refresh } = start({ state: 'lost' });
    vi.advanceTimersByTime(minute);
    expect(refresh).not.toHaveBeenCalled();
    store.set({ connection: { ...store.get().connection, state: 'up' } });
    vi.advanceTimersByTime(5 * second);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  test('update the ages every 10 seconds, and a countdown to the next retry every second', () => {
    const up = start({ state: 'up' });
    vi.advanceTimersByTime(minute);
    expect(up.drawn).toHaveBeenCalledTimes(6);
    expect(up.store.get().now).toBe(Date.now());
    stop();
    const lost = start({ state: 'lost' });
    vi.advanceTimersByTime(minute);
    expect(lost.drawn).toHaveBeenCalledTimes(60);
  });

  test('do nothing after they are stopped', () => {
    const { refresh, drawn } = start({ live: false });
    stop();
    vi.advanceTimersByTime(minute);
    expect(refresh).not.toHaveBeenCalled();
    expect(drawn).not.toHaveBeenCalled();
  });
});
