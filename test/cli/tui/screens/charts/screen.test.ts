import { afterEach, describe, expect, test } from 'vitest';
import type { Access } from '../../../../../cli/access/access.ts';
import { NotConnectedError } from '../../../../../cli/errors.ts';
import type { Trend } from '../../../../../cli/tui/screens/charts/trend-lines.ts';
import { type Dashboard, openDashboard } from '../../../../support/terminal/dashboard.tsx';
import { trendOf } from '../../../../support/terminal/trend.ts';

const statisticsOf = (totalIssues: number) => ({
  severityData: [],
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
    dashboard.press('2');
    await dashboard.shows('Loading…');
  };
  const request = async (key: string) => {
    const before = calls.length;
    dashboard.press(key);
    await expect.poll(() => calls.length).toBe(before + 1);
    return calls[before] as HeldStatistics;
  };

  test('never show the data of another period', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows('11 issues');
    const hourly = await request('p');
    expect(hourly.period).toBe('hourly');
    expect(await dashboard.shows('▸last 24 hours')).not.toContain('11 issues');
    hourly.fail();
    expect(await dashboard.shows('✗ It cannot be counted.')).not.toContain('11 issues');
    const daily = await request('p');
    expect(await dashboard.shows('Loading…')).not.toContain('It cannot be counted.');
    daily.answer(33);
    await dashboard.shows('33 issues');
  });

  test('ignore answers and failures of a period that is no longer chosen', async () => {
    await open();
    const hourly = await request('p');
    const daily = await request('p');
    calls[0]?.answer(11);
    hourly.fail();
    await dashboard.shows('Loading…');
    daily.answer(33);
    expect(await dashboard.shows('33 issues')).toContain('▸last 30 days');
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

  test('ignore a late failure', async () => {
    await open();
    const again = await request('ctrl+r');
    again.answer(22);
    await dashboard.shows('22 issues');
    calls[0]?.fail();
    const last = await request('ctrl+r');
    last.answer(33);
    expect(await dashboard.shows('33 issues')).not.toContain('It cannot be counted.');
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
    expect(frame).toContain('New issues by day');
    expect(frame).toContain('✗ Not found');
  });

  test('scroll to their end and show how many lines follow', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows('11 issues');
    dashboard.resize(90, 14);
    const [below = ''] = /↓ \d+ more lines/.exec(await dashboard.shows(/↓ \d+ more lines/)) ?? [];
    dashboard.press('G');
    expect(await dashboard.shows('By category')).not.toContain('↓');
    dashboard.press('k');
    await dashboard.shows('↓ 1 more line ');
    dashboard.press('g');
    await dashboard.shows(below);
    dashboard.resize(80, 14);
    await dashboard.shows(/last 365 days +↓ \d+ *$/m);
  });

  test('go through the periods', async () => {
    await open();
    expect(dashboard.frame()).toContain('▸all time');
    dashboard.press('p');
    await dashboard.shows('▸last 24 hours');
    dashboard.press('P', 'P');
    await dashboard.shows('▸last 365 days');
  });
});
