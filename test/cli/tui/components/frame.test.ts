import { beforeAll, describe, expect, test } from 'vitest';
import { cellsOf } from '../../../../cli/output/cells.ts';
import { screenIds } from '../../../../cli/tui/state/screen-types.ts';
import { dashboardOfThisFile } from '../../../support/terminal/dashboard-of-this-file.ts';

describe('the frame', () => {
  const tests = dashboardOfThisFile({ issues: 120, conversations: 30 });

  beforeAll(async () => {
    await tests.client.call('issues.create', {
      title: 'Evil \u001B[2J title',
      severity: 'Critical',
      description: 'D'.repeat(500),
    });
    await tests.client.call('settings.update', { updates: { wide: '日本語 👩‍👩‍👧 '.repeat(40) } });
  });

  test.each([
    [40, 12],
    [80, 24],
    [100, 30],
    [140, 40],
    [300, 80],
  ])('fits into %i×%i, one row less than the terminal, with any dialog open', async (columns, rows) => {
    const dashboard = tests.open({ columns, rows });
    await dashboard.shows(/❯.{3} *\d+ /);
    const check = (what: string) => {
      const lines = dashboard.lines();
      expect(lines.length, what).toBe(rows - 1);
      for (const line of lines) expect(cellsOf(line), `${what}: ${line}`).toBeLessThanOrEqual(columns);
    };
    for (const [at, id] of screenIds.entries()) {
      dashboard.press(String(at));
      await dashboard.shows(`▸${at} `);
      await dashboard.hides('Loading…');
      check(id);
      for (const key of ['enter', ':', '?', 'n', '/']) {
        dashboard.press(key);
        await dashboard.hides('Loading…');
        check(`${id} after ${key}`);
        dashboard.press('esc');
      }
    }
  });

  test.each([
    [120, ' 0 Overview ▸1 Issues  2 Charts  3 Conversations  4 Settings  5 Admins  6 Usage  7 Audit'],
    [80, ' 0 Overview▸1 Issues 2 Charts 3 Conversations 4 Settings 5 Admins 6 Usage 7'],
    [60, ' 0 Overview▸1 Issues 2 Charts 3 Conversations 4 5 6 7'],
    [40, ' 0 Overview▸1 Issues 2 Charts 3 4 5 6 7'],
  ])(
    'names as many screens as fit into %i columns, those beside the current one first',
    async (columns, line) => {
      const dashboard = tests.open({ columns });
      await dashboard.shows('▸1 ');
      expect(dashboard.lines()[0]?.startsWith(line)).toBe(true);
    },
  );

  test('is drawn again after a resize', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.resize(160, 50);
    await dashboard.shows('CATEGORY');
    expect(dashboard.lines()).toHaveLength(49);
    dashboard.resize(30, 5);
    await dashboard.shows('Too small: 30×5 (min 40×12)');
    dashboard.resize(80, 24);
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
  });
});
