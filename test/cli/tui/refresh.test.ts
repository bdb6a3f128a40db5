import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Connection, watchConnection } from '../../../cli/tui/refresh/connection.ts';
import { createNotifier, type NotifyMode, notificationSequence } from '../../../cli/tui/refresh/notifier.ts';
import { startTimers } from '../../../cli/tui/refresh/timers.ts';
import { createStore } from '../../../cli/tui/state/store.ts';
import { BackofficeError } from '../../../src/contract/errors.ts';
import type { Event } from '../../../src/contract/events/envelope.ts';
import { openDashboard } from '../../support/run/dashboard.tsx';
import { dashboardHere } from '../../support/run/dashboard-here.ts';

describe('a read-only dashboard', () => {
  const tests = dashboardHere();

  beforeAll(async () => {
    await tests.client.call('issues.create', { title: 'An issue' });
    await tests.client.call('settings.update', { updates: { site_name: 'Example' } });
  });

  test('refuses every change and says why', async () => {
    const dashboard = tests.open({ readOnly: true });
    await dashboard.shows(/❯.{3} *\d+ +/);
    expect(dashboard.frame()).toContain('read-only');
    expect(dashboard.frame()).not.toContain('s status');
    for (const [screen, keys] of Object.entries({
      1: ['s', 'n'],
      4: ['n', 'e', 'D'],
      5: ['n', 'r', 'a', 'D', 'p'],
    })) {
      for (const key of keys) {
        dashboard.press(screen, key);
        await dashboard.shows('✗ This dashboard is read-only');
        expect(dashboard.app.store.get().dialogs).toEqual([]);
        dashboard.press('esc');
        await dashboard.hides('✗ This dashboard');
      }
    }
    await expect(dashboard.app.call('settings.update', { key: 'a', value: 'b' })).rejects.toThrow(
      'read-only',
    );
  });
});

test('says how to sign in again when the token is no longer accepted, and keeps what is on the screen', async () => {
  let isAccepted = true;
  const issue = { id: 7, title: 'An issue', severity: 'Low', status: 'Open', category: 'Other' };
  const dashboard = openDashboard({
    call: async (id) => {
      if (!isAccepted) throw new BackofficeError({ code: 'unauthenticated', text: 'Unauthorized' });
      const times = { created_at: '2026-01-31T09:30:00.000Z', updated_at: '2026-01-31T09:30:00.000Z' };
      return (id === 'issues.list' ? { issues: [{ ...issue, ...times }] } : {}) as never;
    },
  });
  dashboard.app.refreshAll();
  await dashboard.shows('An issue');
  isAccepted = false;
  dashboard.app.refreshAll();
  await dashboard.shows(/✗ Signed out: Quit and run `backoffice login`/);
  await dashboard.app.screens.issues.refresh();
  expect(dashboard.frame()).toContain('An issue');
  expect(dashboard.frame()).not.toContain('No valid API token');
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
    expect(retriedAt.at(-1)).toBe(37_000);
    watch.stop();
    watch.failed('The server is away.');
    vi.advanceTimersByTime(60_000);
    expect(retriedAt.at(-1)).toBe(37_000);
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

let id = 0;
const eventOf = (type: string, data: object, more: Partial<Event> = {}) =>
  ({
    id: ++id,
    type,
    created_at: '2026-01-31T09:30:00.000Z',
    actor: 'linus@example.com',
    subject_id: String(id),
    data,
    ...more,
  }) as Event;
const issue = (severity: string, more: Partial<Event> = {}) =>
  eventOf('issue.created', { title: 'It is down', category: 'Other', severity, status: 'Open' }, more);
const message = (sender_type: string, conversation_id = 'conv_1') =>
  eventOf('message.created', { conversation_id, sender_type, status: 'sent' });

describe('notifications', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => vi.useRealTimers());

  const open = (mode: NotifyMode) => {
    const told: string[] = [];
    const notifier = createNotifier({
      mode,
      tell: (how, sentence) => told.push(`${how}: ${sentence}`),
      emailOf: () => 'grace@example.com',
    });
    return { notifier, told };
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('tell once of a burst, and again when it is over', async () => {
    const { notifier, told } = open('bell');
    notifier.receive(issue('High'));
    notifier.receive(message('admin'));
    await pass(1_000);
    expect(told).toEqual([]);
    notifier.receive(issue('Critical'));
    notifier.receive(issue('Critical'));
    notifier.receive(message('visitor'));
    await pass(1_000);
    expect(told).toEqual(['bell: 2 new Critical issues, 1 new message of a visitor']);
    for (let second = 0; second < 20; second += 1) {
      notifier.receive(message('visitor'));
      await pass(1_000);
    }
    expect(told).toHaveLength(1);
    await pass(10_000);
    notifier.receive(issue('Critical', { subject_id: '7' }));
    await pass(1_000);
    expect(told.slice(1)).toEqual(['bell: Critical issue 7: It is down']);
  });

  test('never tell of what one has done oneself, here or elsewhere', async () => {
    const { notifier, told } = open('desktop');
    notifier.receive(issue('Critical', { actor: 'grace@example.com' }));
    // The event may arrive before the answer that tells the id.
    notifier.receive(issue('Critical', { subject_id: '8' }));
    notifier.receive(message('visitor', 'conv_own'));
    notifier.created(8);
    notifier.created('conv_own');
    await pass(1_000);
    expect(told).toEqual([]);
  });

  test('are off unless one chooses them', async () => {
    const { notifier, told } = open('off');
    notifier.receive(issue('Critical'));
    await pass(1_000);
    notifier.change('desktop');
    notifier.receive(issue('Critical', { subject_id: '9' }));
    await pass(1_000);
    expect(told).toEqual(['desktop: Critical issue 9: It is down']);
  });

  test('ring the bell, or are shown by the terminal, also through tmux', () => {
    expect(notificationSequence('bell', 'x', undefined)).toBe('\u0007');
    expect(notificationSequence('desktop', 'x', undefined)).toBe('\u001B]9;Backoffice: x\u0007');
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
});
