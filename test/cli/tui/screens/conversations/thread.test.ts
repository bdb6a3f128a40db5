import { beforeEach, describe, expect, test } from 'vitest';
import { createThread } from '../../../../../cli/tui/screens/conversations/thread.ts';
import type { Client } from '../../../../../src/contract/client/client.ts';
import type { Dashboard } from '../../../../support/run/dashboard.tsx';
import { createHeldApp, dashboardHere } from '../../../../support/run/dashboard-here.ts';

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
