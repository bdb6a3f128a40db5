import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startClocks } from '../../../cli/tui/clocks.ts';
import type { Connection } from '../../../cli/tui/connection.ts';
import { createStore } from '../../../cli/tui/store.ts';

const second = 1_000;
const minute = 60 * second;

describe('the clocks of the dashboard', () => {
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
    const look = vi.fn();
    const drawn = vi.fn();
    store.subscribe(drawn);
    stop = startClocks({ store, clock: Date.now, look });
    return { store, look, drawn };
  }

  test('look at the data every 5 seconds where changes are not told', () => {
    const { look } = start({ live: false });
    vi.advanceTimersByTime(minute);
    expect(look).toHaveBeenCalledTimes(12);
  });

  test('look each sixth time where changes are told', () => {
    const { look } = start({ live: true });
    vi.advanceTimersByTime(29 * second);
    expect(look).not.toHaveBeenCalled();
    vi.advanceTimersByTime(31 * second);
    expect(look).toHaveBeenCalledTimes(2);
  });

  test('look at nothing while the connection is lost: that is tried on its own', () => {
    const { store, look } = start({ state: 'lost' });
    vi.advanceTimersByTime(minute);
    expect(look).not.toHaveBeenCalled();
    store.set({ connection: { ...store.get().connection, state: 'up' } });
    vi.advanceTimersByTime(5 * second);
    expect(look).toHaveBeenCalledTimes(1);
  });

  test('let the ages go on every 10 seconds, and the seconds to the next try each one', () => {
    const up = start({ state: 'up' });
    vi.advanceTimersByTime(minute);
    expect(up.drawn).toHaveBeenCalledTimes(6);
    expect(up.store.get().now).toBe(Date.now());
    stop();
    const lost = start({ state: 'lost' });
    vi.advanceTimersByTime(minute);
    expect(lost.drawn).toHaveBeenCalledTimes(60);
  });

  test('do nothing once they are stopped', () => {
    const { look, drawn } = start({ live: false });
    stop();
    vi.advanceTimersByTime(minute);
    expect(look).not.toHaveBeenCalled();
    expect(drawn).not.toHaveBeenCalled();
  });
});
