import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createNotifier,
  type NotifyMode,
  notificationSequence,
} from '../../../../cli/tui/refresh/notifier.ts';
import type { Event } from '../../../../src/contract/events/envelope.ts';

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
