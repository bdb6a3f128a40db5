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
      dashboard.press(String(at + 1));
      await dashboard.shows(`▸${at + 1} `);
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
