import { beforeAll, describe, expect, test } from 'vitest';
import { cellsOf } from '../../../cli/output/cells.ts';
import { screenIds } from '../../../cli/tui/state/screen-types.ts';
import { dashboardHere } from '../../support/run/dashboard-here.ts';

describe('the frame', () => {
  const tests = dashboardHere({ issues: 120, conversations: 30 });

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
    const { app } = dashboard;
    const message = `A sentence of many words ${'that goes on and on '.repeat(4)}to its end.`;
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
      if (columns === 300) continue;
      app.showMessage(message);
      await dashboard.shows(/to its\s+end\./);
      check(`${id} below a long message`);
      app.confirm('Sure?', () => {});
      app.showMessage(message);
      await dashboard.shows(/to its\s+end\./);
      check(`${id} with a question and a long message`);
      expect(dashboard.frame()).toContain('y yes    n no');
      dashboard.press('esc');
    }
    app.showMessage('word '.repeat(2_000), 'failed');
    await dashboard.shows('…');
    check('a message without end');
  });

  test('says when it tries again, however narrow it is', async () => {
    const dashboard = tests.open({ columns: 40, target: 'staging.example.com' });
    const { store, now } = dashboard.app;
    const lost = { state: 'lost', reason: 'The server does not answer in time.', live: false } as const;
    store.set({ connection: { ...lost, retryAt: now() + 9_000 }, now: now() });
    await dashboard.shows(/✗ (Connection lost|Lost)\.? Retrying in 9 s\./);
    dashboard.resize(120, 24);
    await dashboard.shows(
      'Connection lost: The server does not answer in time. Retrying in 9 s. Your text is kept.',
    );
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
});
