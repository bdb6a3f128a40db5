import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localAccess } from '../../../cli/access/local.ts';
import { screenIds } from '../../../cli/tui/layer.ts';
import { cellsOf } from '../../../cli/tui/text/cells.ts';
import { seed } from '../../../src/services/seed.ts';
import { type Dashboard, type DashboardOptions, openDashboard } from '../../support/dashboard.tsx';
import { rowsOf, small } from '../../support/seeded.ts';
import { startTestService, type TestService } from '../../support/service.ts';

describe('the screens', () => {
  let service: TestService;
  let dashboard: Dashboard;

  beforeAll(async () => {
    service = await startTestService();
    await seed(service.databaseUrl, { ...small, issues: 120, conversations: 30 });
    await service.signIn('superadmin', 'grace@example.com');
    const { client } = await service.signIn('admin', 'ada@example.com');
    await client.call('issues.create', {
      title: 'Evil \u001B[2J title',
      severity: 'Critical',
      description: 'D'.repeat(500),
    });
    await client.call('settings.update', { updates: { wide: '日本語 👩‍👩‍👧 '.repeat(40) } });
  });
  afterEach(() => dashboard.close());
  afterAll(() => service.stop());

  const open = (options?: DashboardOptions) => {
    dashboard = openDashboard(localAccess(service.services, 'tui'), options);
    return dashboard;
  };

  it.each([
    [40, 12],
    [80, 24],
    [100, 30],
    [140, 40],
    [300, 80],
  ])('fit into %i×%i, a row less than the terminal has, whatever is open', async (columns, rows) => {
    open({ columns, rows });
    await dashboard.shows(/❯.{3} *\d+ /);
    const check = (what: string) => {
      const lines = dashboard.frame().split('\n');
      expect(lines.length, what).toBe(rows - 1);
      for (const line of lines) expect(cellsOf(line), `${what}: ${line}`).toBeLessThanOrEqual(columns);
    };
    for (const [at, id] of screenIds.entries()) {
      dashboard.press(String(at + 1));
      await expect.poll(() => dashboard.frame()).not.toContain('Loading…');
      check(id);
      for (const key of ['enter', ':', '?', 'n', '/']) {
        dashboard.press(key);
        await dashboard.shows(/./);
        check(`${id} after ${key}`);
        dashboard.press('esc');
      }
    }
  });

  it('are drawn anew when the terminal gets another size', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.resize(160, 50);
    await dashboard.shows('CATEGORY');
    expect(dashboard.frame().split('\n')).toHaveLength(49);
    dashboard.resize(30, 5);
    await dashboard.shows('30×5 is too small');
    dashboard.resize(80, 24);
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
  });

  it('change the status of several issues at once', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('space', 'space');
    await dashboard.shows('✓ 2 selected');
    dashboard.press('s');
    await dashboard.shows('Status of 2 issues');
    dashboard.press('4');
    await dashboard.shows('✓ 2 issues are Closed.');
    const rows = await rowsOf<{ status: string }>(
      { url: service.databaseUrl, drop: async () => {} },
      'select status from issues order by created_at desc, id desc limit 2',
    );
    expect(rows.map(({ status }) => status)).toEqual(['Closed', 'Closed']);
    const [record] = await rowsOf<{ door: string }>(
      { url: service.databaseUrl, drop: async () => {} },
      "select door from audit_records where operation = 'issues.changeStatus' limit 1",
    );
    expect(record?.door).toBe('tui');
  });

  it('filter as one types, and Esc brings back the others', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('/');
    dashboard.write('severity:critical evil');
    await dashboard.shows('1 issue loaded');
    dashboard.press('enter', 'esc');
    await expect
      .poll(
        () =>
          dashboard
            .frame()
            .split('\n')
            .filter((line) => /^[❯ ].{3} *\d+ /.test(line)).length,
      )
      .toBe(18);
  });

  it('sort by a column and turn the order round', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('o');
    await dashboard.shows('SEVERITY ▾');
    await expect.poll(() => dashboard.frame().split('\n')[4]).toContain('Critical');
    dashboard.press('O');
    await dashboard.shows('SEVERITY ▴');
    dashboard.press('g');
    await expect.poll(() => dashboard.frame().split('\n')[4]).toContain('Low');
  });

  it('show the details of an issue, and what a visitor wrote in it harmlessly', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('enter');
    expect(await dashboard.shows(/Critical · \w+ · Other/)).toContain('  Evil \uFFFD[2J title\n');
    dashboard.press('J', 'J', 'shift+down');
    await dashboard.shows('Steps to reproduce');
    dashboard.press('esc');
    await expect.poll(() => dashboard.frame()).not.toContain('Steps to reproduce');
  });

  it('report an issue', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('n');
    dashboard.press('enter');
    dashboard.press('ctrl+s');
    await dashboard.shows('✗ Title is required');
    dashboard.press('shift+tab');
    dashboard.write('From the dashboard');
    dashboard.press('ctrl+s');
    await dashboard.shows(/❯.{3} *\d+ +From the dashboard/);
  });

  it('go through the periods of the charts', async () => {
    open();
    dashboard.press('2');
    await dashboard.shows('By severity');
    await dashboard.shows('▸all time');
    dashboard.press('p');
    await dashboard.shows('▸last 24 hours');
    dashboard.press('P', 'P');
    await dashboard.shows('▸last 365 days');
  });

  it('write, edit and remove a setting, by name', async () => {
    open();
    dashboard.press('4');
    await dashboard.shows('site_name');
    dashboard.press('n');
    dashboard.write('color');
    dashboard.press('tab');
    dashboard.write('blue');
    dashboard.press('ctrl+s');
    await dashboard.shows(/❯ • color +blue/);
    dashboard.press('e', 'backspace');
    dashboard.write('ish');
    dashboard.press('ctrl+s');
    await dashboard.shows(/❯ • color +bluish/);
    dashboard.press('D');
    await dashboard.shows('Remove the setting color?');
    dashboard.press('enter');
    await dashboard.shows(/❯ • color/);
    dashboard.press('D', 'y');
    await dashboard.shows('✓ Removed color.');
  });

  it('create an admin with a hidden password, change it and delete it, by name', async () => {
    open();
    dashboard.press('5');
    await dashboard.shows('grace@example.com');
    dashboard.press('n');
    dashboard.write('eve@example.com');
    dashboard.press('enter', 'enter', 'right', 'enter');
    dashboard.write('correct horse');
    dashboard.press('enter');
    dashboard.write('wrong horse');
    dashboard.press('enter');
    expect(await dashboard.shows('✗ The two passwords are not the same.')).not.toContain('horse');
    dashboard.press('ctrl+u');
    dashboard.write('correct horse');
    dashboard.press('enter');
    await dashboard.shows(/❯ . eve@example\.com +eve +superadmin/);
    dashboard.press('r', '3');
    await dashboard.shows(/❯ . eve@example\.com +eve +user/);
    dashboard.press('a');
    await dashboard.shows('Deactivate user eve@example.com?');
    dashboard.press('y');
    await dashboard.shows(/❯ . eve@example\.com +eve +user +✗ no/);
    dashboard.press('D');
    await dashboard.shows(/Delete user eve@example\.com \(admin_\w+\)\?/);
    dashboard.press('y');
    await dashboard.shows('✓ Deleted eve@example.com.');
  });

  it('show the usage and the scraping', async () => {
    open();
    dashboard.press('6');
    await dashboard.shows('▸Tokens and cost');
    await dashboard.shows('Budget');
    dashboard.press('l');
    await dashboard.shows('By source');
  });

  it('show who did what', async () => {
    open();
    dashboard.press('7');
    await dashboard.shows(/admin\.created/);
    dashboard.press('enter');
    await dashboard.shows(/Who +(operator|admin)/);
    dashboard.press('esc', '/');
    dashboard.write('event:issue.created');
    await expect.poll(() => dashboard.frame()).not.toContain('admin.created');
  });

  it('run any action by its name', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press(':');
    dashboard.write('add a setting');
    await dashboard.shows('❯ Settings: Add a setting');
    dashboard.press('enter');
    await dashboard.shows('── Add a setting');
    expect(dashboard.app.store.get().screen).toBe('settings');
  });

  it('change nothing when they are read-only', async () => {
    open({ readOnly: true });
    await dashboard.shows(/❯.{3} *\d+ +/);
    expect(dashboard.frame()).toContain('read-only');
    expect(dashboard.frame()).not.toContain('s status');
    for (const [screen, keys] of Object.entries({
      1: ['s', 'n'],
      4: ['n', 'e', 'D'],
      5: ['n', 'r', 'a', 'D', 'p'],
    })) {
      for (const key of keys) {
        dashboard.press(screen, key);
        await dashboard.shows('✗ This dashboard is read-only');
        expect(dashboard.app.store.get().dialogs).toEqual([]);
        dashboard.press('esc');
      }
    }
    await expect(dashboard.app.call('settings.update', { key: 'a', value: 'b' })).rejects.toThrow(
      'read-only',
    );
  });

  it('ask before quitting where something would be lost, and only there', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press('n');
    dashboard.write('Half a title');
    dashboard.press('esc', 'q');
    await dashboard.shows('The new issue is not saved. Quit and lose it?');
    dashboard.press('n');
    expect(dashboard.quits()).toBe(0);
    dashboard.press('n');
    expect(await dashboard.shows('Half a title')).toContain('Report an issue');
    dashboard.press('esc', 'ctrl+c', 'ctrl+c');
    expect(dashboard.quits()).toBe(1);
  });

  it('quit at once where nothing would be lost', async () => {
    open();
    dashboard.press('q');
    expect(dashboard.quits()).toBe(1);
  });

  it('look for what others change, and keep the cursor on its row', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press('j', 'j');
    await expect
      .poll(() =>
        dashboard
          .frame()
          .split('\n')
          .findIndex((line) => line.startsWith('❯')),
      )
      .toBe(6);
    const before = /❯.{3} *(\d+)/.exec(dashboard.frame())?.[1];
    const { client } = await service.signIn('admin');
    await client.call('issues.create', { title: 'By somebody else' });
    dashboard.app.happened([{ type: 'issue.created', id: null }]);
    const frame = await dashboard.shows('By somebody else');
    expect(/❯.{3} *(\d+)/.exec(frame)?.[1]).toBe(before);
    expect(frame).toMatch(/• +\d+ +By somebody else/);
  });
});
