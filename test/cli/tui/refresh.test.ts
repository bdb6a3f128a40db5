import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Connection, watchConnection } from '../../../cli/tui/refresh/connection.ts';
import { createNotifier, notificationSequence } from '../../../cli/tui/refresh/notifier.ts';
import { startTimers } from '../../../cli/tui/refresh/timers.ts';
import { createStore } from '../../../cli/tui/state/store.ts';
import { BackofficeError } from '../../../src/contract/errors.ts';
import type { Event } from '../../../src/contract/events/envelope.ts';
import { openDashboard } from '../../support/run/dashboard.tsx';

test('says how to sign in again when the token is no longer accepted, and keeps what is on the screen', async () => {
  let isAccepted = true;
  const words = { title: 'An issue', severity: 'Low', status: 'Open', category: 'Other' };
  const issue = { id: 7, ...words, created_at: '2026-01-31T09:30:00Z', updated_at: '2026-01-31T09:30:00Z' };
  const dashboard = openDashboard({
    call: async (id) => {
      if (!isAccepted) throw new BackofficeError({ code: 'unauthenticated', text: 'Unauthorized' });
      return (id === 'issues.list' ? { issues: [issue] } : {}) as never;
    },
  });
  dashboard.app.refreshAll();
  await dashboard.shows('An issue');
  isAccepted = false;
  dashboard.app.refreshAll();
  await dashboard.shows(/✗ Signed out: Quit and run `backoffice login`/);
  expect(dashboard.frame()).toContain('An issue');
  isAccepted = true;
  dashboard.app.refreshAll();
  await dashboard.hides('✗ Signed out');
  dashboard.close();
});

describe('a lost connection', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is retried after 1, 2, 4, 8, and then every 10 seconds, until it is stopped', () => {
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
    watch.stop();
    vi.advanceTimersByTime(60_000);
    expect(retriedAt.slice(6)).toEqual([37_000]);
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
});

describe('notifications', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => vi.useRealTimers());

  let id = 0;
  const eventOf = (type: string, data: object, more: Partial<Event>) =>
    ({ id: ++id, type, actor: 'linus@example.com', subject_id: String(id), data, ...more }) as Event;
  const issue = (severity: string, more: Partial<Event> = {}) =>
    eventOf('issue.created', { title: 'It is down', severity }, more);
  const message = (sender_type: string, conversation_id = 'conv_1') =>
    eventOf('message.created', { conversation_id, sender_type }, {});

  test('tell once of a burst, and again when it is over, but never of what one has done oneself', async () => {
    const told: string[] = [];
    const notifier = createNotifier({
      mode: 'off',
      tell: (how, sentence) => told.push(`${how}: ${sentence}`),
      emailOf: () => 'grace@example.com',
    });
    const receive = async (seconds: number, ...events: readonly Event[]) => {
      for (const event of events) notifier.receive(event);
      await vi.advanceTimersByTimeAsync(seconds * 1_000);
    };
    await receive(1, issue('Critical'));
    notifier.change('bell');
    await receive(1, issue('High'), message('admin'), issue('Critical', { actor: 'grace@example.com' }));
    // The event may arrive before the answer that tells the id.
    await receive(0, issue('Critical', { subject_id: '900' }), message('visitor', 'conv_own'));
    notifier.created(900);
    notifier.created('conv_own');
    await receive(1);
    expect(told).toEqual([]);
    await receive(1, issue('Critical'), issue('Critical'), message('visitor'));
    expect(told).toEqual(['bell: 2 new Critical issues, 1 new message of a visitor']);
    for (let second = 0; second < 20; second += 1) await receive(1, message('visitor'));
    await receive(10);
    expect(told).toHaveLength(1);
    await receive(1, issue('Critical', { subject_id: '7' }));
    expect(told.slice(1)).toEqual(['bell: Critical issue 7: It is down']);
  });

  test('ring the bell, or are shown by the terminal, also through tmux', () => {
    expect(notificationSequence('bell', 'x', undefined)).toBe('\u0007');
    expect(notificationSequence('desktop', 'x', 'tmux')).toBe(
      '\u001BPtmux;\u001B\u001B]9;Backoffice: x\u0007\u001B\\',
    );
  });
});

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

  test.each([
    [5, 'without', false],
    [30, 'with', true],
  ])('refresh every %i seconds %s an event stream, until they are stopped', (seconds, _with, live) => {
    const { refresh, drawn } = start({ live });
    vi.advanceTimersByTime((seconds - 1) * second);
    expect(refresh).not.toHaveBeenCalled();
    vi.advanceTimersByTime(minute - (seconds - 1) * second);
    expect(refresh).toHaveBeenCalledTimes(60 / seconds);
    stop();
    drawn.mockClear();
    vi.advanceTimersByTime(minute);
    expect(refresh).toHaveBeenCalledTimes(60 / seconds);
    expect(drawn).not.toHaveBeenCalled();
  });

  test('update the ages every 10 seconds; while the connection is lost, only the countdown every second', () => {
    const { store, refresh, drawn } = start({ state: 'up' });
    vi.advanceTimersByTime(minute);
    expect(drawn).toHaveBeenCalledTimes(6);
    expect(store.get().now).toBe(Date.now());
    store.set({ connection: { ...store.get().connection, state: 'lost' } });
    refresh.mockClear();
    drawn.mockClear();
    vi.advanceTimersByTime(minute);
    expect(drawn).toHaveBeenCalledTimes(60);
    expect(refresh).not.toHaveBeenCalled();
  });
});
