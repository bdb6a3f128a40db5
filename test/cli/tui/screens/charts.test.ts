import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import type { Access } from '../../../../cli/access/access.ts';
import { NotConnectedError } from '../../../../cli/errors.ts';
import { cellsOf } from '../../../../cli/output/cells.ts';
import { type Trend, trendLines } from '../../../../cli/tui/screens/charts/trend-lines.ts';
import { type Dashboard, openDashboard } from '../../../support/terminal/dashboard.tsx';

const trendOf = (counts: readonly number[]): Trend => ({
  timezone: 'UTC',
  days: counts.map((count, day) => ({
    date: `2026-01-${String(day + 1).padStart(2, '0')}`,
    count,
    bySeverity: [],
  })),
});

const statisticsOf = (totalIssues: number) => ({
  severityData: [],
  severityTotals: [{ severity: 'High', count: totalIssues }],
  statusCounts: [],
  categoryCounts: [],
  totalIssues,
});

/** A question of the charts that waits for its answer. */
interface Asked {
  readonly period: string;
  answer(totalIssues: number): void;
  fail(error?: Error): void;
}

describe('the charts', () => {
  let dashboard: Dashboard;
  let asked: Asked[] = [];
  let trend: () => Promise<Trend>;
  afterEach(() => dashboard.close());

  const open = async () => {
    trend = async () => trendOf(Array(30).fill(1));
    const call = (id: string, input: { period?: string } = {}) => {
      if (id === 'issues.trend') return trend();
      if (input.period === undefined) return new Promise(() => {});
      return new Promise((resolve, reject) => {
        asked.push({
          period: input.period ?? '',
          answer: (totalIssues) => resolve(statisticsOf(totalIssues)),
          fail: (error = new Error('It cannot be counted.')) => reject(error),
        });
      });
    };
    dashboard = openDashboard({ call: call as Access['call'] }, { rows: 40 });
    // The issues ask the same for their tabs.
    asked = [];
    dashboard.press('2');
    await dashboard.shows('Loading…');
  };
  const ask = async (key: string) => {
    const before = asked.length;
    dashboard.press(key);
    await expect.poll(() => asked.length).toBe(before + 1);
    return asked[before] as Asked;
  };

  test('never show one period under the name of another', async () => {
    await open();
    asked[0]?.answer(11);
    await dashboard.shows('11 issues');
    const hourly = await ask('p');
    expect(hourly.period).toBe('hourly');
    expect(await dashboard.shows('▸last 24 hours')).not.toContain('11 issues');
    hourly.fail();
    expect(await dashboard.shows('✗ It cannot be counted.')).not.toContain('11 issues');
    const daily = await ask('p');
    expect(await dashboard.shows('Loading…')).not.toContain('It cannot be counted.');
    daily.answer(33);
    await dashboard.shows('33 issues');
  });

  test('take no answer and no failure of a period that is not chosen any more', async () => {
    await open();
    const hourly = await ask('p');
    const daily = await ask('p');
    asked[0]?.answer(11);
    hourly.fail();
    await dashboard.shows('Loading…');
    daily.answer(33);
    expect(await dashboard.shows('33 issues')).toContain('▸last 30 days');
  });

  test('are loaded anew when they are, and not before', async () => {
    await open();
    asked[0]?.answer(11);
    await dashboard.shows('11 issues');
    const again = await ask('ctrl+r');
    expect(dashboard.app.store.get().message).toBeNull();
    again.answer(22);
    expect(await dashboard.shows('Loaded anew.')).toContain('22 issues');
    dashboard.app.say('Something else.', 'note');
    const lost = await ask('ctrl+r');
    lost.fail(new NotConnectedError('It is away.'));
    await dashboard.shows('It is away.');
    expect(dashboard.app.store.get().message?.text).toBe('Something else.');
  });

  test('take no failure that a later look has overtaken', async () => {
    await open();
    const again = await ask('ctrl+r');
    again.answer(22);
    await dashboard.shows('22 issues');
    asked[0]?.fail();
    const last = await ask('ctrl+r');
    last.answer(33);
    expect(await dashboard.shows('33 issues')).not.toContain('It cannot be counted.');
  });

  test('are those of the contract where the server has no trend, and say so', async () => {
    await open();
    const later = await ask('ctrl+r');
    trend = async () => {
      throw new Error('Not found');
    };
    const last = await ask('ctrl+r');
    later.answer(22);
    last.answer(44);
    const frame = await dashboard.shows('44 issues');
    expect(frame).toContain('New issues by day');
    expect(frame).toContain('✗ Not found');
  });

  test('scroll to their end and no further, and say what is below', async () => {
    await open();
    asked[0]?.answer(11);
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
});

describe('the trend', () => {
  const drawn = (counts: readonly number[], cells: number) =>
    trendLines(trendOf(counts), cells).map(stripVTControlCharacters);

  test('has a column for each day, as wide as there is room', () => {
    expect(drawn([0, 4, 8], 30)).toEqual([
      '  New issues by day  12 issues in 3 days, UTC',
      '    8         ███',
      '              ███',
      '          ███ ███',
      '          ███ ███',
      '      ───────────',
      '      2 days agotoday',
    ]);
  });

  test('has columns of one cell, side by side, in a narrow terminal', () => {
    const counts = Array.from({ length: 30 }, (_, day) => day * 100);
    const lines = drawn(counts, 40);
    expect(lines[1]).toMatch(/^ {4}2,900 {24}▁▂▄▅▆▇█$/);
    expect(lines[5]).toBe(`          ${'─'.repeat(30)}`);
    expect(lines[6]).toBe(`          29 days ago${' '.repeat(14)}today`);
    for (const line of lines.slice(1)) expect(cellsOf(line)).toBeLessThanOrEqual(40);
  });
});
