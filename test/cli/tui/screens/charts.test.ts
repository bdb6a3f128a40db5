import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import type { Access } from '../../../../cli/access/access.ts';
import { NotConnectedError } from '../../../../cli/errors.ts';
import { cellsOf } from '../../../../cli/output/cells.ts';
import { type Trend, trendLines } from '../../../../cli/tui/screens/charts/trend-lines.ts';
import { type Dashboard, openDashboard } from '../../../support/run/dashboard.tsx';
import { trendOf } from '../../../support/run/dashboard-here.ts';
import { after } from '../after-keys.ts';

const statisticsOf = (totalIssues: number) => ({
  severityData: [{ period_label: 'Last 24h', severity: 'High', count: totalIssues }],
  severityTotals: [{ severity: 'High', count: totalIssues }],
  statusCounts: [],
  categoryCounts: [],
  totalIssues,
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
    dashboard = openDashboard({ call: call as Access['call'] }, { rows: 40 });
    // The issues screen makes the same call for its counts.
    calls = [];
    await after(dashboard, '2', 'Loading…');
  };
  const request = async (key: string) => {
    const before = calls.length;
    dashboard.press(key);
    await expect.poll(() => calls.length).toBe(before + 1);
    return calls[before] as HeldStatistics;
  };

  const ages = (count: number) => new RegExp(`1 to 24 hours ago +${count} issues`);

  test('never show the ages of another period', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows(ages(11));
    const hourly = await request('p');
    expect(hourly.period).toBe('hourly');
    expect(await dashboard.shows('▸24 hours')).not.toMatch(ages(11));
    // The period changes only the ages.
    expect(dashboard.frame()).toContain('By severity  11 issues of all time');
    expect(dashboard.frame()).toContain('Reported issues  30 issues in 30 days');
    hourly.fail();
    expect(await dashboard.shows('✗ It cannot be counted.')).not.toMatch(ages(11));
    const daily = await request('p');
    expect(await dashboard.shows('Loading…')).not.toContain('It cannot be counted.');
    daily.answer(33);
    await dashboard.shows(ages(33));
  });

  test('call the ages what they are, and leave out those before the period', async () => {
    await open();
    calls[0]?.answer(11);
    const frame = await dashboard.shows(ages(11));
    expect(frame).toContain('In the last hour: none');
    expect(frame).toContain('Over 7 days ago: none');
    expect(frame).not.toMatch(/Last 24h|Older/);
    // The choice stands with what it changes.
    const lines = dashboard.lines();
    const title = lines.findIndex((line) => line.includes('Age of the issues'));
    expect(lines[title + 1]).toContain('▸All');
    (await request('p')).answer(11);
    expect(await dashboard.shows(ages(11))).not.toContain('7 days ago');
  });

  test('use the whole of a wide and tall terminal', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows(ages(11));
    dashboard.resize(200, 60);
    await dashboard.shows(/█{80}/);
    const rows = dashboard.lines().filter((line) => /^ {4}.{3,} ██( ██){20}/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    expect(dashboard.lines()).toHaveLength(59);
  });

  test('ignore answers and failures of a period that is no longer chosen', async () => {
    await open();
    const hourly = await request('p');
    const daily = await request('p');
    calls[0]?.answer(11);
    hourly.fail();
    await dashboard.shows('Loading…');
    daily.answer(33);
    expect(await dashboard.shows(ages(33))).toContain('▸30 days');
  });

  test('report a refresh after the answer, and only if it succeeded', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows('11 issues');
    const again = await request('ctrl+r');
    expect(dashboard.app.store.get().message).toBeNull();
    again.answer(22);
    expect(await dashboard.shows('Refreshed.')).toContain('22 issues');
    dashboard.app.showMessage('Something else.', 'note');
    const lost = await request('ctrl+r');
    lost.fail(new NotConnectedError('It is away.'));
    await dashboard.shows('It is away.');
    expect(dashboard.app.store.get().message?.text).toBe('Something else.');
  });

  test('show why the trend failed and still show the others', async () => {
    await open();
    const later = await request('ctrl+r');
    trend = async () => {
      throw new Error('Not found');
    };
    const last = await request('ctrl+r');
    later.answer(22);
    last.answer(44);
    const frame = await dashboard.shows('44 issues');
    expect(frame).toContain('Reported issues');
    expect(frame).toContain('✗ Not found');
  });

  test('scroll to their end and show how many lines follow', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows('11 issues');
    dashboard.resize(90, 14);
    const [below = ''] = /↓ \d+ more lines/.exec(await dashboard.shows(/↓ \d+ more lines/)) ?? [];
    expect(await after(dashboard, 'G', 'By category')).not.toContain('↓');
    await after(dashboard, 'k', '↓ 1 more line ');
    await after(dashboard, 'g', below);
    dashboard.resize(80, 14);
    await dashboard.shows(/11 issues in all +↓ \d+ more lines *$/m);
  });

  test('go through the periods', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows('▸All');
    await after(dashboard, 'p', '▸24 hours');
    await after(dashboard, 'P P', '▸365 days');
  });
});

describe('the trend', () => {
  const drawn = (counts: readonly number[], cells: number) =>
    trendLines(trendOf(counts), cells, 4).map(stripVTControlCharacters);

  test('has a column for each day, as wide as possible', () => {
    expect(drawn([0, 4, 8], 30)).toEqual([
      '  Reported issues  12 issues in 3 days, UTC',
      '    8               ██████',
      '                    ██████',
      '             ██████ ██████',
      '             ██████ ██████',
      '      ────────────────────',
      '      2 days ago     today',
    ]);
  });

  test('has adjacent columns of one cell in a narrow terminal', () => {
    const counts = Array.from({ length: 30 }, (_, day) => day * 100);
    const lines = drawn(counts, 40);
    expect(lines[1]).toMatch(/^ {4}2,900 {24}▁▂▄▅▆▇█$/);
    expect(lines[5]).toBe(`          ${'─'.repeat(30)}`);
    expect(lines[6]).toBe(`          29 days ago${' '.repeat(14)}today`);
    for (const line of lines.slice(1)) expect(cellsOf(line)).toBeLessThanOrEqual(40);
  });
});
