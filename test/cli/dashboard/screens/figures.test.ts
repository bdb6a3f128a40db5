import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Access } from '../../../../cli/access/access.ts';
import { type Trend, trendLines } from '../../../../cli/dashboard/draw/charts.ts';
import { type Dashboard, openDashboard, silentAccess } from '../../../support/run/dashboard.ts';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

/** Sizes from the smallest to a large one. */
const sizes = [
  [60, 15],
  [80, 24],
  [109, 30],
  [110, 20],
  [300, 80],
] as const;

const fits = async (dashboard: Dashboard, pattern: RegExp | string) => {
  for (const [width, height] of sizes) {
    dashboard.resize(width, height);
    await dashboard.shows(pattern);
    const lines = dashboard.lines();
    expect(lines).toHaveLength(height);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  }
};

describe('the overview', () => {
  // It counts all that there is.
  const tests = dashboardHere();

  test('says how to connect a website before anything has happened', async () => {
    const dashboard = tests.open();
    await dashboard.after(
      '0',
      /Nothing has happened yet\.\n +`backoffice connect` says how to connect your website\./,
    );
    expect(dashboard.frame()).toMatch(/❯ Critical .*\n +0 .* 0\n/);
  });

  describe('with data', () => {
    beforeAll(async () => {
      const { client } = tests;
      for (const severity of ['Critical', 'Critical', 'High']) {
        await client.call('issues.create', { title: `A ${severity} issue`, severity });
      }
      await client.call('issues.update', { ids: [1], set: { status: 'In Progress' } });
      await client.call('issues.create', { title: 'Solved', severity: 'Critical' });
      await client.call('issues.update', { ids: [4], set: { status: 'Resolved' } });
      const visitor = {
        visitor_email: 'ada@example.com',
        visitor_name: 'Ada Byron',
        subject: 'An invoice',
      };
      await client.call('conversations.create', { ...visitor, initial_message: 'Could you send it again?' });
      await client.call('scrapingRuns.record', {
        runs: [
          { run_id: 'one', source: 'news.example.org', status: 'succeeded' },
          // Its success is not known.
          { run_id: 'two', source: 'news.example.org', status: 'running' },
        ],
      });
    });

    test('shows what waits, what it costs and what happened, as it happens', async () => {
      const dashboard = tests.open({ columns: 140, rows: 40 });
      const frame = await dashboard.after('0', 'grace@example.com set issue 4 to Resolved');
      expect(frame).toMatch(/❯ Critical +High +Medium +Low +Unread +Cost this month +Scraping/);
      expect(frame).toMatch(/ 2 +1 +0 +0 +1 +0\.00 USD +100 %/);
      expect(frame).toMatch(/unresolved +unresolved .* conversation +no budget +of 1 run/);
      expect(frame).toContain('grace@example.com opened a conversation: An invoice');
      expect(frame).toContain('Reported issues  4 issues in 30 days, UTC');
      await tests.client.call('issues.create', { title: 'Another\u001B[2J', severity: 'High' });
      await dashboard.shows('grace@example.com reported issue 5: Another�[2J');
      await dashboard.shows(/ 2 +2 +0 +0 +1 /);
      await fits(dashboard, 'Critical');
    });

    test('goes to what a figure counts and to what an entry is about, and Esc comes back', async () => {
      const dashboard = tests.open();
      await dashboard.after('0', /❯ Critical[\s\S]*grace@example\.com/);
      const issues = await dashboard.after('enter', /▸1 Issues[\s\S]*❯ +2 +A Critical issue/);
      expect(issues).not.toMatch(/Solved|A High issue/);
      await dashboard.after('esc', /▸0 Overview[\s\S]*❯ Critical/);
      // The list is as it was before.
      await dashboard.after('1', /Unresolved +status:open,inprogress[\s\S]*A High issue/);
      await dashboard.after('0 l j', /❯ Cost this month/);
      await dashboard.after('j', /❯ grace@example\.com/);
      await dashboard.after('k', '❯ Scraping');
      await dashboard.after('G enter', /▸1 Issues[\s\S]*❯ +1 +A Critical issue/);
      await dashboard.after('esc', '▸0 Overview');
      await dashboard.after('g j', '❯ Unread');
      await dashboard.after('enter', /▸3 Conversations[\s\S]*\/ is:unread[\s\S]*Ada Byron/);
      await dashboard.after('esc', /▸0 Overview[\s\S]*❯ Unread/);
      await dashboard.after('l', '❯ Cost this month');
      await dashboard.after('enter', /▸6 Usage[\s\S]*▸Tokens and cost/);
      await dashboard.after('esc l', /▸0 Overview[\s\S]*❯ Scraping/);
      await dashboard.after('enter', 'By source');
      await dashboard.after('esc j j j', /❯ grace@example\.com opened a conversation/);
      await dashboard.after('enter', /▸3 Conversations[\s\S]*Could you send it again\?/);
      await dashboard.after('esc esc', '▸0 Overview');
    });

    test('counts what is assigned to the person who looks, and goes to it', async () => {
      const { client } = tests;
      const { admin } = await client.call('session.show', {});
      await client.call('issues.update', { ids: [2, 4], set: { assignee_id: admin?.id ?? '' } });
      const identity = { email: 'grace@example.com', role: 'superadmin', isReadOnly: false } as const;
      const dashboard = tests.openWith(tests.through(client), { identity });
      // The other one is resolved.
      await dashboard.after('0', /Assigned to you +Unread +Cost[^\n]+\n +1 +/);
      await dashboard.after('j', '❯ Assigned to you');
      const found = await dashboard.after('enter', /▸1 Issues[\s\S]*❯ +2 +A Critical issue/);
      expect(found).not.toContain('A High issue');
    });

    test('scrolls the tiles away for the activity on a low terminal', async () => {
      const dashboard = tests.open({ columns: 60, rows: 15 });
      await dashboard.after('0', '❯ Critical');
      expect(dashboard.frame()).not.toContain('Latest activity');
      await dashboard.after('G', /Latest activity[\s\S]*❯ grace@example\.com reported issue 1/);
      await dashboard.after('g', '❯ Critical');
    });

    test('shows the other parts if one cannot be loaded, and why if none can', async () => {
      const { access } = tests;
      let isDown = false;
      const call = (id: string, input: never) => {
        if (isDown || id === 'settings.show' || id === 'events.list')
          return Promise.reject(new Error('It is broken.'));
        return access.call(id as never, input);
      };
      const broken = { ...silentAccess, call: call as Access['call'] };
      const dashboard = tests.openWith(broken);
      const frame = await dashboard.after('0', /Cost this month +Scraping *\n +1 +\? +\?/);
      expect(frame).toMatch(/Latest activity\n +It could not be loaded\./);
      isDown = true;
      await dashboard.after('ctrl+r', /✗ It is broken\.\n +❯ Critical/);
      const other = tests.openWith(broken);
      await other.after('0', '✗ It is broken.');
      isDown = false;
      await other.after('ctrl+r', '❯ Critical');
    });
  });
});

const statisticsOf = (totalIssues: number) => ({
  severityData: [{ period_label: 'Last 24h', severity: 'High', count: totalIssues }],
  severityTotals: [
    { severity: 'Urgent', count: 1 },
    { severity: 'High', count: totalIssues },
  ],
  statusCounts: [{ status: 'Open', count: totalIssues }],
  categoryCounts: [
    { category: 'Few', count: 1 },
    { category: 'Many\u001B[2J', count: totalIssues },
  ],
  totalIssues,
});

const trendOf = (counts: readonly number[]): Trend => ({
  timezone: 'UTC',
  days: counts.map((count, day) => ({
    date: new Date(Date.UTC(2026, 0, day + 1)).toISOString().slice(0, 10),
    startsAt: new Date(Date.UTC(2026, 0, day + 1)).toISOString(),
    endsAt: new Date(Date.UTC(2026, 0, day + 2)).toISOString(),
    count,
    bySeverity: [],
  })),
});

/** A call for statistics that waits for its answer. */
interface HeldStatistics {
  readonly period: string;
  answer(totalIssues: number): void;
  fail(error?: Error): void;
}

describe('the charts', () => {
  let dashboard: Dashboard;
  let calls: HeldStatistics[] = [];
  let trend: () => Promise<Trend>;
  afterEach(() => dashboard.close());

  const open = async () => {
    trend = async () => trendOf(Array(30).fill(1));
    const call = (id: string, input: { period?: string } = {}) => {
      if (id === 'issues.trend') return trend();
      if (input.period === undefined) return new Promise(() => {});
      return new Promise((resolve, reject) => {
        calls.push({
          period: input.period ?? '',
          answer: (totalIssues) => resolve(statisticsOf(totalIssues)),
          fail: (error = new Error('It cannot be counted.')) => reject(error),
        });
      });
    };
    dashboard = openDashboard({ ...silentAccess, call: call as Access['call'] }, { rows: 40 });
    // The issues screen makes the same call for its counts.
    calls = [];
    await dashboard.after('2', 'Loading…');
  };
  const request = async (key: string) => {
    const before = calls.length;
    dashboard.press(key);
    await vi.waitFor(() => expect(calls.length).toBe(before + 1), 30_000);
    return calls[before] as HeldStatistics;
  };
  const ages = (count: number) => new RegExp(`1 to 24 hours ago +${count} issues`);

  test('never show the ages of another range', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows(ages(11));
    const hourly = await request('p');
    expect(hourly.period).toBe('hourly');
    expect(await dashboard.shows('▸24 hours')).not.toMatch(ages(11));
    // The range changes only the ages.
    expect(dashboard.frame()).toContain('By severity  11 issues of all time');
    expect(dashboard.frame()).toContain('Reported issues  30 issues in 30 days');
    hourly.fail();
    expect(await dashboard.shows('✗ It cannot be counted.')).not.toMatch(ages(11));
    const daily = await request('p');
    expect(await dashboard.shows('Loading…')).not.toContain('It cannot be counted.');
    daily.answer(33);
    await dashboard.shows(ages(33));
  });

  test('call the ages what they are, leave out those before the range, and use all of a large terminal', async () => {
    await open();
    calls[0]?.answer(11);
    const frame = await dashboard.shows(ages(11));
    expect(frame).toMatch(
      /Age of the issues.*\n.*▸All[\s\S]*In the last hour: none[\s\S]*Over 7 days ago: none/,
    );
    expect(frame).not.toMatch(/Last 24h|Older/);
    // The worst severity comes first, and the longest bar of the others.
    expect(frame).toMatch(/High +11 +█{50}\n +Urgent +1 +█+\S\n[\s\S]*Many�\[2J +11[^\n]*\n +Few +1 /);
    (await request('p')).answer(11);
    expect(await dashboard.shows(ages(11))).not.toContain('7 days ago');
    await fits(dashboard, 'Reported issues');
    expect(dashboard.lines().filter((line) => /^ {4}.{3,} █+( █+){20}/.test(line)).length).toBeGreaterThan(
      10,
    );
  });

  test('scroll where they are higher than the terminal', async () => {
    await open();
    dashboard.resize(80, 24);
    calls[0]?.answer(11);
    await dashboard.shows(/↓ \d+ more lines/);
    await dashboard.after('j', /^(?![\s\S]*Reported issues)/);
    expect(await dashboard.after('G', /Many[\s\S]*Few/)).not.toContain('more line');
    await dashboard.after('g', 'Reported issues');
  });

  test('ignore answers and failures of a range that is no longer chosen', async () => {
    await open();
    const hourly = await request('p');
    const daily = await request('p');
    calls[0]?.answer(11);
    hourly.fail();
    await dashboard.shows('Loading…');
    daily.answer(33);
    expect(await dashboard.shows(ages(33))).toContain('▸30 days');
    await dashboard.after('P P P', '▸365 days');
  });

  test('show why the trend failed and still show the others', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows('11 issues');
    trend = () => Promise.reject(new Error('Not found'));
    (await request('ctrl+r')).answer(44);
    expect(await dashboard.shows('44 issues')).toMatch(/Reported issues[\s\S]*✗ Not found/);
  });
});

test('the trend has a column for each day, as wide as possible, or of one cell in a narrow terminal', () => {
  const drawn = (counts: readonly number[], cells: number) =>
    trendLines(trendOf(counts), cells, 4).map(stripVTControlCharacters);
  expect(drawn([0, 4, 8], 30)).toEqual([
    '  Reported issues  12 issues in 3 days, UTC',
    '    8               ██████',
    '                    ██████',
    '             ██████ ██████',
    '             ██████ ██████',
    '      ────────────────────',
    '      2 days ago     today',
  ]);
  const days = Array.from({ length: 30 }, (_, day) => day * 100);
  const [, first, , , , line, range] = drawn(days, 40);
  expect(first).toMatch(/^ {4}2,900 {24}▁▂▄▅▆▇█$/);
  expect(line).toBe(`          ${'─'.repeat(30)}`);
  expect(range).toBe(`          29 days ago${' '.repeat(14)}today`);
});
