import { describe, expect, test } from 'vitest';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('the audit screen', () => {
  const tests = dashboardHere();

  test('shows who did what, filters by event, keeps the filter in a view, and opens with it', async () => {
    let dashboard = tests.open();
    await dashboard.after('7', /admin\.created/);
    await dashboard.after('enter', /── Record \d+ ─[\s\S]* Who +(operator|admin)[\s\S]* From /);
    await dashboard.after('esc / "event:admin.cr" enter w', /❯ \* All/);
    await dashboard.after('s "New admins" ctrl+s', '✓ Saved the view New admins.');
    await dashboard.shows(/New admins +event:admin\.created/);
    await dashboard.after('j *', /❯ \* New admins/);
    expect((await tests.access.call('views.list', { list: 'audit' })).views).toEqual([
      expect.objectContaining({ name: 'New admins', filter: { event: 'admin.created' }, is_first: true }),
    ]);
    dashboard.close();
    await tests.client.call('issues.create', { title: 'Not shown' });
    dashboard = tests.open({ views: await tests.views() });
    expect(await dashboard.after('7', /New admins[\s\S]*admin\.created/)).not.toContain('issue.created');
  });

  test('draws a change field by field, and leads to the issue and back', async () => {
    const { id } = await tests.client.call('issues.create', { title: 'Linked' });
    await tests.client.call('issues.changeStatus', { id, status: 'Resolved' });
    const dashboard = tests.open({ columns: 160 });
    await dashboard.after('7', /❯ .* issue\.updated +\d+ +status: Open → Resolved/);
    await dashboard.after('enter', / What +issues\.changeStatus → issue\.updated of \d+/);
    await dashboard.after('o', `/ id:${id}`);
    await dashboard.shows('Linked');
    await dashboard.after('esc', / What +issues\.changeStatus/);
  });

  test('stays on the first row while records arrive, and on its row otherwise', async () => {
    const { client } = tests;
    const labels = ['One', 'Two'];
    const dashboard = tests.open();
    await client.call('issues.create', { title: 'Before' });
    await dashboard.after('7', /❯ .* title: Before/);
    const [first, second] = labels.map((title) => () => client.call('issues.create', { title }));
    await first?.();
    await dashboard.app.screen().refresh();
    await dashboard.shows(/❯ .* title: One/);
    dashboard.press('j');
    await second?.();
    await dashboard.app.screen().refresh();
    await dashboard.shows(/title: Two[\s\S]*title: One[\s\S]*❯ .* title: Before/);
  });

  test.each([
    ['door:tu operation:issues.create', { door: 'tui', operation: 'issues.create' }, undefined],
    ['subject:7 grace', { subject_id: '7', q: 'grace' }, undefined],
    ['id:7', { subject_id: '7' }, undefined],
    ['door:x', {}, 'No door “x”.'],
    ['wrong:7', {}, 'There is no wrong:.'],
  ])('reads the filter %s', async (text, filter, problem) => {
    const { access } = tests;
    const asked: unknown[] = [];
    const call: typeof access.call = (id, input) => {
      if (id === 'audit.list') asked.push(input);
      return access.call(id, input);
    };
    const dashboard = tests.openWith({ ...access, call }, { columns: 160 });
    await dashboard.after('7', 'admin.created');
    await dashboard.after(`/ "${text}" enter`, problem ?? 'No record matches.');
    if (problem === undefined) expect(asked.at(-1)).toMatchObject(filter);
  });

  test('is only for superadmins', async () => {
    const user = await tests.service.signIn('user');
    const identity = { email: user.email, role: 'user', isReadOnly: false } as const;
    const dashboard = tests.openWith(tests.through(user.client), { identity });
    await dashboard.after('7', '✗ Only superadmins can go to Audit. Your role is user.');
  });
});
