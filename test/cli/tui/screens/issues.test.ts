import { beforeAll, describe, expect, test } from 'vitest';
import { passingPreferences } from '../../../../cli/tui/preferences.ts';
import { queryRows } from '../../../support/postgres/seeded.ts';
import type { Dashboard, DashboardOptions } from '../../../support/run/dashboard.tsx';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('the issues screen', () => {
  const tests = dashboardHere({ issues: 120, conversations: 0 });

  beforeAll(async () => {
    await tests.client.call('issues.create', {
      title: 'Evil \u001B[2J title',
      severity: 'Critical',
      description: 'D'.repeat(500),
    });
  });

  const open = async (options?: DashboardOptions) => {
    const dashboard = tests.open(options);
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    return dashboard;
  };
  const idAtCursor = (dashboard: Dashboard) => Number(/❯.{3} *(\d+)/.exec(dashboard.frame())?.[1]);
  /** Leaves the view of the unsettled issues, which has no row that is Closed. */
  const showAll = (dashboard: Dashboard) => dashboard.after('v', /^ +\d+ +\S.* Closed +\d+\w+$/m);
  const query = <Row extends object>(text: string) => queryRows<Row>(tests.service.databaseUrl, text);

  test('changes the status of several issues at once', async () => {
    const dashboard = await open();
    await dashboard.after('space space', '✓ 2 selected');
    await dashboard.after('s', 'Status of 2 issues');
    // A number moves to its option and does not choose it.
    await dashboard.after('4', '❯ 4  Closed');
    await dashboard.after('enter', '✓ 2 issues are now Closed.');
    const rows = await query<{ status: string }>(
      'select status from issues order by created_at desc, id desc limit 2',
    );
    expect(rows.map(({ status }) => status)).toEqual(['Closed', 'Closed']);
    const [record] = await query<{ door: string }>(
      "select door from audit_records where operation = 'issues.update' limit 1",
    );
    expect(record?.door).toBe('tui');
    await dashboard.after('z', '✓ Put back 2 issues.');
    await dashboard.after('z', 'There is no change to undo.');
    await dashboard.after('L', /✓ Undo: 2 issues: status → Closed *\n.*↶ 2 issues: status → Closed/);
    await dashboard.after('z', '✓ Put back 2.');
    await dashboard.after('j j', 'It was undone.');
    await query("update issues set status = 'Open' where title like 'Evil%' returning id");
  });

  test('assigns an issue unless somebody has assigned it since, says so in its details, and undoes that', async () => {
    const { client } = tests;
    const { admin } = await client.call('session.show', {});
    const dashboard = await open();
    await dashboard.after('enter A', 'nobody');
    await dashboard.after('"grace" enter', /✓ #\d+ is assigned to grace\. z undoes this\./);
    await dashboard.shows('· @grace');
    await dashboard.after('A', /grace +grace@example\.com {2}\(current\)/);
    await dashboard.after('esc z', '✓ Put back 1 issue.');
    await dashboard.shows('· not assigned');
    await dashboard.after('A', 'grace@example.com');
    const assigned = { ids: [idAtCursor(dashboard)], set: { assignee_id: admin?.id ?? '' } };
    await client.call('issues.update', assigned);
    await dashboard.after('"nobody" enter', 'Changed meanwhile: assignee_id is now');
  });

  test('adds, edits and deletes a comment', async () => {
    const dashboard = await open({ rows: 60 });
    await dashboard.after('enter +', '── Comment on #');
    await dashboard.after(
      '"Only with Safari" esc q',
      /The comment on #\d+ is not saved\. Discard it and quit\?/,
    );
    await dashboard.after('n + " 17." ctrl+s', /✓ Added the comment on #\d+\./);
    await dashboard.shows('    Only with Safari 17.');
    await dashboard.after(
      'C e backspace " and 18." ctrl+s',
      /· \d{4}-\d\d-\d\d \d\d:\d\d, edited[\s\S]*Only with Safari 17 and 18\./,
    );
    // The dialog may be loaded again after what is above it.
    await dashboard.shows(/❯ {3}✎ .*, edited\n *Only with Safari 17 and 18\./);
    expect(await dashboard.after('D', /Delete the comment of \S+\?/)).toContain(
      '│ Only with Safari 17 and 18.',
    );
    await dashboard.after('y', 'No comments yet.');
    await dashboard.hides('Only with Safari');
  });

  test('edits the texts of an issue, and asks again if somebody has changed them', async () => {
    const { client } = tests;
    const { id } = await client.call('issues.create', { title: 'Chekout hangs', description: 'It hangs.' });
    const dashboard = tests.open({ rows: 40 });
    await dashboard.shows(/❯.{3} *\d+ +Chekout hangs/);
    // The form gets the keys that are pressed while it loads.
    expect(await dashboard.after('e ctrl+u "Checkout hangs"', `── Edit #${id}`)).toContain(
      '❯ Title        Checkout hangs',
    );
    await client.call('issues.update', { ids: [id], set: { title: 'Checkout is slow' } });
    await dashboard.after('ctrl+s', '✗ Changed meanwhile: title is now Checkout is slow. Press Ctrl-S again');
    await dashboard.after('ctrl+s', `✓ Saved #${id}.`);
    await dashboard.shows(/❯.{3} *\d+ +Checkout hangs/);
    await client.call('issues.delete', { id: String(id) });
  });

  test('asks before it changes many issues, and shows which were not changed when it is stopped', async () => {
    const { access } = tests;
    const sent: number[] = [];
    const answering = Promise.withResolvers<void>();
    const dashboard = tests.openWith({
      async call(id, input) {
        if (id !== 'issues.update') return access.call(id, input);
        sent.push((input as { ids: number[] }).ids.length);
        await answering.promise;
        return access.call(id, input);
      },
    });
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    await showAll(dashboard);
    dashboard.press('a', 's', '4', 'enter');
    const [, count = ''] =
      /Set (\d+) issues to Closed\?/.exec(await dashboard.shows('issues to Closed?')) ?? [];
    dashboard.press('y');
    await expect.poll(() => sent).toEqual([Number(count)]);
    await dashboard.after('q', `The change of ${count} issues is not finished.`);
    dashboard.press('n', 'esc');
    answering.resolve();
    await dashboard.shows(/✓ Too late to stop\. \d+ issues are now Closed\./);
    dashboard.press('z');
    // Some were Closed before.
    await dashboard.shows(/✓ Put back \d+ issues\./);
  });

  test('filters as the user types, and Esc shows all issues again', async () => {
    const dashboard = await open();
    await showAll(dashboard);
    await dashboard.after('j', / 2 of 121 .*○/);
    await dashboard.after('G', / 121 of 121 .*○/);
    await dashboard.after('/ "severity:critical evil"', '1 issue loaded');
    await dashboard.after('ctrl+u "severity:crit evil"', '1 issue loaded');
    await dashboard.after(
      'ctrl+u "severity:crix"',
      / {4}No severity “crix”\. Use Critical, .*\n.*\/ severity:crix/s,
    );
    dashboard.press('enter', 'esc');
    await expect.poll(() => dashboard.lines().filter((line) => /^[❯ ].{3} *\d+ /.test(line)).length).toBe(18);
  });

  test('sorts by a column, in both orders, or by that of a letter, and selects a range', async () => {
    const dashboard = await open({ columns: 120 });
    await dashboard.after('o', /SEVERITY ▼.*\n.* Critical /);
    await dashboard.after('O g', /SEVERITY ▲.*\n.* Low /);
    await dashboard.after('S', /S … {2}c created {2}u updated {2}v severity/);
    await dashboard.after('t', 'TITLE ▲');
    await dashboard.after('S t', 'TITLE ▼');
    await dashboard.after('S x g j V j j k j', '✓ 3 selected, range');
    await dashboard.after('esc j', /✓ 3 selected {2}/);
    dashboard.press('esc');
    await dashboard.hides('selected');
  });

  test('opens with the unsettled issues, and saves, renames and deletes a view of its own', async () => {
    const preferences = passingPreferences();
    let dashboard = tests.open({ preferences, columns: 120 });
    expect(await dashboard.shows(/▸Unsettled \d+ {3}All 12\d/)).not.toMatch(
      /(Resolved|Closed) +\d+(m|h|d|w|mo|y)$/m,
    );
    await dashboard.after('/ "status:closed"', /▸All 12\d/);
    await dashboard.after('enter |', '❯ [x] id');
    await dashboard.after('G k space enter S v w', 'Unsettled                status:open,inprogress');
    await dashboard.after('s ctrl+u "Old ones" ctrl+s', '✓ Saved the view Old ones.');
    await dashboard.after('*', /❯ ● Old ones +status:closed {3}sort -severity {3}id title severity/);
    await dashboard.after('r ctrl+u "Older ones" ctrl+s', '✓ Renamed Old ones to Older ones.');
    dashboard.close();
    dashboard = tests.open({ preferences, columns: 120 });
    await dashboard.shows('▸Older ones');
    await dashboard.shows('SEVERITY ▼');
    expect(preferences.get()).toMatchObject({
      defaultView: 'Older ones',
      views: { 'Older ones': { filter: 'status:closed', sort: '-severity' } },
    });
    await dashboard.after('w D', 'Delete the view Older ones?');
    await dashboard.after('y', '✓ Deleted the view Older ones.');
    await dashboard.after('g r', 'Unsettled is built in.');
    await dashboard.after('enter', /▸Unsettled \d+/);
  });

  test('copies the link or the text of an issue, and opens it in the browser if there is one', async () => {
    const copied: string[] = [];
    const opened: string[] = [];
    const host = {
      copy: (text: string) => copied.push(text) > 0,
      browse: async (url: string) => opened.push(url) > 1,
    };
    const dashboard = await open({ host, columns: 120 });
    const id = idAtCursor(dashboard);
    const link = `http://localhost:3000/issues?issue=${id}`;
    await dashboard.after('y', `✓ Copied the link of #${id}: ${link}`);
    await dashboard.after('Y', `✓ Copied #${id}: #${id} Evil`);
    await dashboard.after('b', `· No browser here. Copied ${link}`);
    await dashboard.after('b', `✓ Opened ${link}`);
    expect(copied[0]).toBe(link);
    expect(copied[1]).toContain(`\nCritical, Open, Other, created `);
    expect(copied[2]).toBe(link);
    expect(opened).toEqual([link, link]);
  });

  test('shows the details of an issue without control characters, and loads them again for the next look', async () => {
    const dashboard = await open();
    const id = idAtCursor(dashboard);
    expect(await dashboard.after('enter', /Critical · Open · Other/)).toContain('  Evil \uFFFD[2J title\n');
    dashboard.press('enter');
    await dashboard.hides('Critical · Open · Other');
    await tests.client.call('issues.changeStatus', { id, status: 'In Progress' });
    await dashboard.app.screens.issues.refresh();
    await dashboard.after('enter', 'Critical · In Progress · Other');
    await tests.client.call('issues.changeStatus', { id, status: 'Open' });
    await dashboard.app.screens.issues.refresh();
    await dashboard.shows('Critical · Open · Other');
    await dashboard.after('J J shift+down', 'Steps to reproduce');
  });

  test('reports an issue', async () => {
    const dashboard = await open();
    // The field that is wrong has the cursor again.
    await dashboard.after('n enter ctrl+s', '✗ Title is required');
    await dashboard.after('"From the dashboard" ctrl+s', /❯.{3} *\d+ +From the dashboard/);
  });

  test('shows what others change and keeps the cursor on its row', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    await dashboard.after('j j', /\n {2}.*\n {2}.*\n❯/);
    const before = idAtCursor(dashboard);
    await tests.client.call('issues.create', { title: 'By somebody else' });
    dashboard.app.onEvents([{ type: 'issue.created', id: null }]);
    await dashboard.shows(/• +\d+ +By somebody else/);
    expect(idAtCursor(dashboard)).toBe(before);
  });

  test('undoes as one what took several calls', async () => {
    await query("insert into issues (title) select 'Xylophone' from generate_series(1, 2100) returning id");
    const dashboard = tests.open();
    dashboard.app.screens.issues.find?.('xylophone');
    await dashboard.shows(/❯.{3} *\d+ +Xylophone/);
    await dashboard.after('G', ' 2,100 of 2,100');
    await dashboard.after('a s 4 enter', 'Set 2,100 issues to Closed?');
    await dashboard.after('y', '✓ 2,100 issues are now Closed. z undoes this.');
    await dashboard.after('z', '✓ Put back 2,100 issues.');
    expect(await query("select distinct status from issues where title = 'Xylophone'")).toEqual([
      { status: 'Open' },
    ]);
    await query("delete from issues where title = 'Xylophone' returning id");
  });
});
