import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createThread } from '../../../../cli/tui/screens/conversations/thread.ts';
import { type IssueDetail, issueDetail } from '../../../../cli/tui/screens/issues/detail.ts';
import type { Client } from '../../../../src/contract/client/client.ts';
import type { Dashboard } from '../../../support/run/dashboard.tsx';
import { createHeldApp, dashboardHere } from '../../../support/run/dashboard-here.ts';

/** Longer than the cursor must stay on a row before its details load. */
const restMs = 100;

describe('the details of an issue', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function open() {
    const { app, calls } = createHeldApp();
    const shown: IssueDetail[] = [];
    const details = issueDetail(app, (detail) => shown.push(detail));
    const issueCalls = () => calls.filter(({ id }) => id === 'issues.list');
    /** Answers the calls of a load. */
    const answer = async (load: number, title: string) => {
      await calls[load * 3]?.answer({ issues: [{ title }] });
      await calls[load * 3 + 1]?.answer({ links: [] });
      await calls[load * 3 + 2]?.answer({ comments: [], nextCursor: null });
    };
    return { details, shown, calls, issueCalls, answer };
  }

  test('do not load for a cursor that goes on at once', () => {
    const { details, calls } = open();
    details.show(7);
    details.hide();
    vi.advanceTimersByTime(restMs);
    expect(calls).toEqual([]);
  });

  test('load at once and only once on a refresh', async () => {
    const { details, shown, calls, answer } = open();
    details.show(7);
    const refreshed = details.refresh();
    vi.advanceTimersByTime(restMs);
    expect(calls).toHaveLength(3);
    await answer(0, 'New title');
    await refreshed;
    expect(shown.at(-1)).toMatchObject({ issue: { title: 'New title' } });
  });

  test('ignore a late failure', async () => {
    const { details, shown, issueCalls, answer } = open();
    details.show(7);
    const refreshes = [details.refresh(), details.refresh()];
    await answer(1, 'New title');
    await issueCalls()[0]?.refuse('The service was away.');
    await Promise.all(refreshes);
    expect(shown.at(-1)).toMatchObject({ error: '', issue: { title: 'New title' } });
  });
});

describe('a thread on the screen', () => {
  const tests = dashboardHere();
  let dashboard: Dashboard;
  let client: Client;
  let id: string;

  beforeEach(async () => {
    ({ client } = tests);
    const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada Byron', subject: 'An invoice' };
    ({
      conversation: { id },
    } = await client.call('conversations.create', {
      ...visitor,
      initial_message: 'Could you send it again?',
    }));

    dashboard = tests.open({ columns: 140, rows: 40 });
    dashboard.press('3');
    await dashboard.shows(/❯.{3} *1● +Ada Byron/);
    await dashboard.shows('Could you send it again?');
  });

  test('shows the keys of the thread as soon as it is open', async () => {
    // Without timers, only a notification can cause a drawing.
    dashboard.app.stop();
    expect(dashboard.frame()).toContain('Enter read');
    dashboard.press('enter');
    await dashboard.hides('Enter read');
    dashboard.press('h');
    await dashboard.shows('Enter read');
  });

  test('keeps its position when a message is added below', async () => {
    for (let message = 1; message <= 60; message += 1) {
      await client.call('messages.create', {
        conversation_id: id,
        content: `Message ${message}`,
        sender_type: 'visitor',
      });
    }
    dashboard.app.onEvents([{ type: 'message.created', id }]);
    await dashboard.shows('Message 60');
    dashboard.press('enter');
    // More messages than one page holds: the oldest load when the user scrolls up to them.
    await expect
      .poll(() => {
        dashboard.press('g');
        return dashboard.frame();
      })
      .toContain('Could you send it again?');
    await dashboard.shows(/Message 1 *$/m);
    dashboard.press('j', 'j', 'j');
    const linesBelow = async () =>
      Number(/↓ (\d+) more/.exec(await dashboard.shows(/↓ \d+ more lines/))?.[1]);
    const before = await linesBelow();
    // Without the ages, which change.
    const thread = () =>
      dashboard
        .lines()
        .slice(8, 30)
        .map((line) => line.slice(60).replace(/ +(now|\d+m) · /, ' · '));
    const seen = thread();
    await client.call('messages.create', {
      conversation_id: id,
      content: 'The last',
      sender_type: 'visitor',
    });
    dashboard.app.onEvents([{ type: 'message.created', id }]);
    await expect.poll(linesBelow).toBeGreaterThan(before);
    expect(thread()).toEqual(seen);
  });
});

test('a thread ignores a late failure', async () => {
  const { app, calls } = createHeldApp();
  const thread = createThread(app);
  thread.show('conv_1');
  const refreshes = [thread.refresh(), thread.refresh()];
  // Each refresh loads the messages, then the comments.
  await calls[2]?.answer({ conversation: null, messages: [], issues: [] });
  await calls[3]?.answer({ comments: [] });
  await calls[0]?.refuse('The service was away.');
  await Promise.all(refreshes);
  expect(thread.store.get()).toMatchObject({ phase: 'ready', error: '' });
  thread.show(null);
});
