import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../../../../cli/access/access.ts';
import { dashboardHere } from '../../../../support/run/dashboard-here.ts';

describe('the overview', () => {
  const tests = dashboardHere();

  beforeAll(async () => {
    const { client } = tests;
    for (const severity of ['Critical', 'Critical', 'High']) {
      await client.call('issues.create', { title: `A ${severity} issue`, severity });
    }
    await client.call('issues.update', { ids: [1], set: { status: 'In Progress' } });
    await client.call('issues.create', { title: 'Solved', severity: 'Critical' });
    await client.call('issues.update', { ids: [4], set: { status: 'Resolved' } });
    await client.call('conversations.create', {
      visitor_email: 'ada@example.com',
      visitor_name: 'Ada Byron',
      subject: 'An invoice',
      initial_message: 'Could you send it again?',
    });
    await client.call('scrapingRuns.record', {
      runs: [{ run_id: 'one', source: 'news.example.org', status: 'succeeded' }],
    });
  });

  test('shows what waits, what it costs and what happened, as it happens', async () => {
    const dashboard = tests.open({ columns: 140, rows: 40 });
    dashboard.press('0');
    const frame = await dashboard.shows('Latest activity');
    expect(frame).toMatch(/❯ Critical +High +Medium +Low +Unread +Cost this month +Scraping/);
    expect(frame).toMatch(/ 2 +1 +0 +0 +1 +0\.00 USD +100 %/);
    expect(frame).toMatch(/unsettled +unsettled .* conversation +no budget +of 1 run/);
    expect(frame).toContain('grace@example.com set issue 4 to Resolved');
    expect(frame).toContain('grace@example.com opened a conversation: An invoice');
    expect(frame).toContain('Reported issues  4 issues in 30 days, UTC');
    await tests.client.call('issues.create', { title: 'Another\u001B[2J', severity: 'High' });
    const newest = async () => (await tests.client.call('events.list', { limit: 1 })).events[0]?.subject_id;
    await expect.poll(newest).toBe('5');
    dashboard.app.onEvents([{ type: 'issue.created', id: '5' }]);
    await dashboard.shows('grace@example.com reported issue 5: Another�[2J');
    await dashboard.shows(/ 2 +2 +0 +0 +1 /);
  });

  test('goes to what a figure counts, and to what an entry is about', async () => {
    const dashboard = tests.open();
    dashboard.press('0');
    await dashboard.shows('❯ Critical');
    dashboard.press('enter');
    const issues = await dashboard.shows(/▸1 Issues[\s\S]*❯ +2 +A Critical issue/);
    expect(issues).toContain('A Critical issue');
    expect(issues).not.toMatch(/Solved|A High issue/);
    dashboard.press('0', 'j');
    await dashboard.shows('❯ Unread');
    dashboard.press('enter');
    await dashboard.shows('unread only');
    await dashboard.shows('Ada Byron');
    dashboard.press('0', 'l', 'l');
    await dashboard.shows('❯ Scraping');
    dashboard.press('enter');
    await dashboard.shows('By source');
    dashboard.press('0', 'j');
    await dashboard.shows(/❯ \w+@example\.com /);
    dashboard.press('k', 'k', 'g', 'h');
    await dashboard.shows('❯ Critical');
    dashboard.press('G', 'enter');
    await dashboard.shows(/▸1 Issues[\s\S]*\/ 1 /);
  });

  test('counts what is assigned to the person who looks, and goes to it', async () => {
    const { client } = tests;
    const { admin } = await client.call('session.show', {});
    await client.call('issues.update', { ids: [2, 4], set: { assignee_id: admin?.id ?? '' } });
    const identity = { email: 'grace@example.com', role: 'superadmin', isReadOnly: false } as const;
    const dashboard = tests.openWith(client, { identity });
    dashboard.press('0');
    // The other one is resolved.
    await dashboard.shows(/Assigned to you +Unread +Cost[^\n]+\n +1 +/);
    dashboard.press('j');
    await dashboard.shows('❯ Assigned to you');
    dashboard.press('enter');
    expect(await dashboard.shows(/▸1 Issues[\s\S]*❯ +2 +A Critical issue/)).not.toContain('A High issue');
  });

  test('shows the other parts if one cannot be loaded, and why if none can', async () => {
    const { access } = tests;
    let isDown = false;
    const call = (id: string, input: never) => {
      if (isDown || id === 'settings.show') return Promise.reject(new Error('It is broken.'));
      return access.call(id as never, input);
    };
    const dashboard = tests.openWith({ call: call as Access['call'] });
    dashboard.press('0');
    const frame = await dashboard.shows('Latest activity');
    expect(frame).toMatch(/Cost this month +Scraping *\n +1 +\? +\?/);
    isDown = true;
    const other = tests.openWith({ call: call as Access['call'] });
    other.press('0');
    await other.shows('✗ It is broken.');
  });
});
