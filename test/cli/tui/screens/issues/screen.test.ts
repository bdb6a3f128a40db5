import { beforeAll, describe, expect, test } from 'vitest';
import { passingPreferences } from '../../../../../cli/tui/preferences.ts';
import { queryRows } from '../../../../support/postgres/seeded.ts';
import type { DashboardOptions } from '../../../../support/run/dashboard.tsx';
import { dashboardHere } from '../../../../support/run/dashboard-here.ts';

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
  const query = <Row extends object>(text: string) =>
    queryRows<Row>({ url: tests.service.databaseUrl, drop: async () => {} }, text);

  test('changes the status of several issues at once', async () => {
    const dashboard = await open();
    dashboard.press('space', 'space');
    await dashboard.shows('✓ 2 selected');
    dashboard.press('s');
    await dashboard.shows('Status of 2 issues');
    // A number moves to its option and does not choose it.
    dashboard.press('4');
    await dashboard.shows('❯ 4  Closed');
    dashboard.press('enter');
    await dashboard.shows('✓ 2 issues are now Closed.');
    const rows = await query<{ status: string }>(
      'select status from issues order by created_at desc, id desc limit 2',
    );
    expect(rows.map(({ status }) => status)).toEqual(['Closed', 'Closed']);
    const [record] = await query<{ door: string }>(
      "select door from audit_records where operation = 'issues.update' limit 1",
    );
    expect(record?.door).toBe('tui');
    dashboard.press('z');
    await dashboard.shows('✓ Put back 2 issues.');
    dashboard.press('z');
    await dashboard.shows('There is no change to undo.');
    dashboard.press('L');
    await dashboard.shows(
      /❯? +[\d:]{8} {2}✓ Undo: 2 issues: status → Closed *\n +[\d:]{8} {2}↶ 2 issues: status → Closed/,
    );
    dashboard.press('z');
    await dashboard.shows('✓ Put back 2.');
    await dashboard.shows(/✓ Undo: Undo: 2 issues/);
    dashboard.press('j', 'j');
    await dashboard.shows('It was undone.');
    await query("update issues set status = 'Open' where title like 'Evil%' returning id");
  });

  test('assigns an issue, says so in its details, and undoes that', async () => {
    const dashboard = await open();
    dashboard.press('enter', 'A');
    await dashboard.shows('nobody');
    dashboard.write('grace');
    dashboard.press('enter');
    await dashboard.shows(/✓ #\d+ is assigned to grace\. z undoes this\./);
    await dashboard.shows('· @grace');
    dashboard.press('A');
    await dashboard.shows(/grace +grace@example\.com {2}\(current\)/);
    dashboard.press('esc', 'z');
    await dashboard.shows('✓ Put back 1 issue.');
    await dashboard.shows('· not assigned');
  });

  test('does not assign an issue that somebody has assigned since', async () => {
    const { client } = tests;
    const dashboard = tests.open();
    const [, id] = /❯.{3} *(\d+) +Evil/.exec(await dashboard.shows(/❯.{3} *\d+ +Evil/)) ?? [];
    dashboard.press('A');
    await dashboard.shows('grace@example.com');
    const { admin } = await client.call('session.show', {});
    await client.call('issues.update', { ids: [Number(id)], set: { assignee_id: admin?.id ?? '' } });
    dashboard.write('nobody');
    await dashboard.hides('grace@example.com');
    dashboard.press('enter');
    await dashboard.shows('Changed meanwhile: assignee_id is now');
  });

  test('adds, edits and deletes a comment', async () => {
    const dashboard = await open({ rows: 60 });
    dashboard.press('enter', '+');
    await dashboard.shows('── Comment on #');
    dashboard.write('Only with Safari');
    dashboard.press('esc', 'q');
    await dashboard.shows(/The comment on #\d+ is not saved\. Discard it and quit\?/);
    dashboard.press('n', '+');
    dashboard.write(' 17.');
    dashboard.press('ctrl+s');
    await dashboard.shows(/✓ Added the comment on #\d+\./);
    await dashboard.shows('    Only with Safari 17.');
    dashboard.press('C', 'e', 'backspace');
    dashboard.write(' and 18.');
    dashboard.press('ctrl+s');
    await dashboard.shows(/· \d{4}-\d\d-\d\d \d\d:\d\d, edited[\s\S]*Only with Safari 17 and 18\./);
    // The dialog may be loaded again after what is above it.
    await dashboard.shows(/❯ {3}✎ .*, edited\n *Only with Safari 17 and 18\./);
    dashboard.press('D');
    expect(await dashboard.shows(/Delete the comment of \S+\?/)).toContain('│ Only with Safari 17 and 18.');
    dashboard.press('y');
    await dashboard.shows('No comments yet.');
    await dashboard.hides('Only with Safari');
  });

  test('edits the texts of an issue, and asks again if somebody has changed them', async () => {
    const { client } = tests;
    const { id } = await client.call('issues.create', { title: 'Chekout hangs', description: 'It hangs.' });
    const dashboard = tests.open({ rows: 40 });
    await dashboard.shows(/❯.{3} *\d+ +Chekout hangs/);
    // The form gets the keys that are pressed while it loads.
    dashboard.press('e', 'ctrl+u');
    dashboard.write('Checkout hangs');
    expect(await dashboard.shows(`── Edit #${id}`)).toContain('❯ Title        Checkout hangs');
    await client.call('issues.update', { ids: [id], set: { title: 'Checkout is slow' } });
    dashboard.press('ctrl+s');
    await dashboard.shows('✗ Changed meanwhile: title is now Checkout is slow. Press Ctrl-S again');
    dashboard.press('ctrl+s');
    await dashboard.shows(`✓ Saved #${id}.`);
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
    dashboard.press('v');
    // A row that the view does not have.
    await dashboard.shows(/^ +\d+ +\S.* Closed +\d+\w+$/m);
    dashboard.press('a', 's', '4', 'enter');
    const [, count = ''] =
      /Set (\d+) issues to Closed\?/.exec(await dashboard.shows('issues to Closed?')) ?? [];
    dashboard.press('y');
    await expect.poll(() => sent).toEqual([Number(count)]);
    dashboard.press('q');
    await dashboard.shows(`The change of ${count} issues is not finished.`);
    dashboard.press('n', 'esc');
    answering.resolve();
    await dashboard.shows(/✓ Too late to stop\. \d+ issues are now Closed\./);
    dashboard.press('z');
    // Some were Closed before.
    await dashboard.shows(/✓ Put back \d+ issues\./);
  });

  test('filters as the user types, and Esc shows all issues again', async () => {
    const dashboard = await open();
    dashboard.press('v');
    // A row that the view does not have.
    await dashboard.shows(/^ +\d+ +\S.* Closed +\d+\w+$/m);
    await dashboard.shows(/ 1 of 121 .*○/);
    dashboard.press('j');
    await dashboard.shows(/ 2 of 121 .*○/);
    dashboard.press('G');
    await dashboard.shows(/ 121 of 121 .*○/);
    dashboard.press('/');
    dashboard.write('severity:critical evil');
    await dashboard.shows('1 issue loaded');
    dashboard.press('ctrl+u');
    dashboard.write('severity:crit evil');
    await dashboard.shows('1 issue loaded');
    dashboard.press('ctrl+u');
    dashboard.write('severity:crix');
    await dashboard.shows(/ {4}No severity “crix”\. Use Critical, .*\n.*\/ severity:crix/s);
    dashboard.press('enter', 'esc');
    await expect.poll(() => dashboard.lines().filter((line) => /^[❯ ].{3} *\d+ /.test(line)).length).toBe(18);
  });

  test('sorts by a column and reverses the order', async () => {
    const dashboard = await open();
    dashboard.press('o');
    await dashboard.shows('SEVERITY ▼');
    await expect.poll(() => dashboard.lines()[4]).toContain('Critical');
    dashboard.press('O');
    await dashboard.shows('SEVERITY ▲');
    dashboard.press('g');
    await expect.poll(() => dashboard.lines()[4]).toContain('Low');
  });

  test('sorts by the column of a letter, and selects a range', async () => {
    const dashboard = await open({ columns: 120 });
    dashboard.press('S');
    await dashboard.shows(/S … {2}c created {2}u updated {2}v severity/);
    dashboard.press('t');
    await dashboard.shows('TITLE ▲');
    dashboard.press('S', 't');
    await dashboard.shows('TITLE ▼');
    dashboard.press('S', 'x', 'g', 'j', 'V', 'j', 'j', 'k', 'j');
    await dashboard.shows('✓ 3 selected, range');
    dashboard.press('esc', 'j');
    await dashboard.shows(/✓ 3 selected {2}/);
    dashboard.press('esc');
    await dashboard.hides('selected');
  });

  test('opens with the unsettled issues, and saves, renames and deletes a view of its own', async () => {
    const preferences = passingPreferences();
    let dashboard = tests.open({ preferences, columns: 120 });
    expect(await dashboard.shows(/▸Unsettled \d+ {3}All 12\d/)).not.toMatch(
      /(Resolved|Closed) +\d+(m|h|d|w|mo|y)$/m,
    );
    dashboard.press('/');
    dashboard.write('status:closed');
    await dashboard.shows(/▸All 12\d/);
    dashboard.press('enter', '|');
    await dashboard.shows('❯ [x] id');
    dashboard.press('G', 'k', 'space', 'enter', 'S', 'v', 'w');
    await dashboard.shows('Unsettled                status:open,inprogress');
    dashboard.press('s', 'ctrl+u');
    dashboard.write('Old ones');
    dashboard.press('ctrl+s');
    await dashboard.shows('✓ Saved the view Old ones.');
    dashboard.press('*');
    await dashboard.shows(/❯ ● Old ones +status:closed {3}sort -severity {3}id title severity/);
    dashboard.press('r', 'ctrl+u');
    dashboard.write('Older ones');
    dashboard.press('ctrl+s');
    await dashboard.shows('✓ Renamed Old ones to Older ones.');
    dashboard.close();
    dashboard = tests.open({ preferences, columns: 120 });
    await dashboard.shows('▸Older ones');
    await dashboard.shows('SEVERITY ▼');
    expect(preferences.get()).toMatchObject({
      defaultView: 'Older ones',
      views: { 'Older ones': { filter: 'status:closed', sort: '-severity' } },
    });
    dashboard.press('w', 'D');
    await dashboard.shows('Delete the view Older ones?');
    dashboard.press('y');
    await dashboard.shows('✓ Deleted the view Older ones.');
    dashboard.press('g', 'r');
    await dashboard.shows('Unsettled is built in.');
    dashboard.press('enter');
    await dashboard.shows(/▸Unsettled \d+/);
  });

  test('copies the link or the text of an issue, and opens it in the browser if there is one', async () => {
    const copied: string[] = [];
    const opened: string[] = [];
    const host = {
      copy: (text: string) => copied.push(text) > 0,
      browse: async (url: string) => opened.push(url) > 1,
    };
    const dashboard = tests.open({ host, columns: 120 });
    const [, id] = /❯.{3} *(\d+) +Evil/.exec(await dashboard.shows(/❯.{3} *\d+ +Evil/)) ?? [];
    const link = `http://localhost:3000/issues?issue=${id}`;
    dashboard.press('y');
    await dashboard.shows(`✓ Copied the link of #${id}: ${link}`);
    dashboard.press('Y');
    await dashboard.shows(`✓ Copied #${id}: #${id} Evil`);
    dashboard.press('b');
    await dashboard.shows(`· No browser here. Copied ${link}`);
    dashboard.press('b');
    await dashboard.shows(`✓ Opened ${link}`);
    expect(copied[0]).toBe(link);
    expect(copied[1]).toContain(`\nCritical, Open, Other, created `);
    expect(copied[2]).toBe(link);
    expect(opened).toEqual([link, link]);
  });

  test('shows the details of an issue without control characters', async () => {
    const dashboard = await open();
    dashboard.press('enter');
    expect(await dashboard.shows(/Critical · \w+ · Other/)).toContain('  Evil \uFFFD[2J title\n');
    dashboard.press('J', 'J', 'shift+down');
    await dashboard.shows('Steps to reproduce');
    dashboard.press('esc');
    await expect.poll(() => dashboard.frame()).not.toContain('Steps to reproduce');
  });

  test('loads the details only while they are visible, and again when they are shown again', async () => {
    const { access } = tests;
    const asked: string[] = [];
    const dashboard = tests.openWith({
      call(id, input) {
        asked.push(id);
        return access.call(id, input);
      },
    });
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('v');
    // A row that the view does not have.
    await dashboard.shows(/^ +\d+ +\S.* Closed +\d+\w+$/m);
    const id = Number(/❯.{3} *(\d+)/.exec(dashboard.frame())?.[1]);
    const { client } = tests;
    await client.call('issues.changeStatus', { id, status: 'Open' });
    dashboard.press('enter');
    await dashboard.shows('Critical · Open · Other');
    dashboard.press('enter');
    await dashboard.hides('Critical · Open · Other');
    await client.call('issues.changeStatus', { id, status: 'Resolved' });
    asked.length = 0;
    await dashboard.app.screens.issues.refresh();
    expect(asked).toEqual(['issues.list', 'issues.trend', 'issues.list']);
    dashboard.press('enter');
    await dashboard.shows('Critical · Resolved · Other');
    await client.call('issues.changeStatus', { id, status: 'Open' });
    await dashboard.app.screens.issues.refresh();
    expect(asked.filter((each) => each === 'links.list')).toHaveLength(2);
    await dashboard.shows('Critical · Open · Other');
  });

  test('reports an issue', async () => {
    const dashboard = await open();
    dashboard.press('n');
    dashboard.press('enter');
    dashboard.press('ctrl+s');
    // The field that is wrong has the cursor again.
    await dashboard.shows('✗ Title is required');
    dashboard.write('From the dashboard');
    dashboard.press('ctrl+s');
    await dashboard.shows(/❯.{3} *\d+ +From the dashboard/);
  });

  test('shows what others change and keeps the cursor on its row', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press('j', 'j');
    await expect.poll(() => dashboard.lines().findIndex((line) => line.startsWith('❯'))).toBe(6);
    const before = /❯.{3} *(\d+)/.exec(dashboard.frame())?.[1];
    const { client } = tests;
    await client.call('issues.create', { title: 'By somebody else' });
    dashboard.app.onEvents([{ type: 'issue.created', id: null }]);
    const frame = await dashboard.shows('By somebody else');
    expect(/❯.{3} *(\d+)/.exec(frame)?.[1]).toBe(before);
    expect(frame).toMatch(/• +\d+ +By somebody else/);
  });

  test('undoes as one what took several calls', async () => {
    await query("insert into issues (title) select 'Xylophone' from generate_series(1, 2100) returning id");
    const dashboard = tests.open();
    dashboard.app.screens.issues.find?.('xylophone');
    await dashboard.shows(/❯.{3} *\d+ +Xylophone/);
    dashboard.press('G');
    await dashboard.shows(' 2,100 of 2,100');
    dashboard.press('a', 's', '4', 'enter');
    await dashboard.shows('Set 2,100 issues to Closed?');
    dashboard.press('y');
    await dashboard.shows('✓ 2,100 issues are now Closed. z undoes this.');
    dashboard.press('z');
    await dashboard.shows('✓ Put back 2,100 issues.');
    dashboard.press('L');
    const log = await dashboard.shows(
      /✓ Undo: 2,100 issues: status → Closed *\n.*↶ 2,100 issues: status → Closed/,
    );
    expect(log.match(/2,100 issues:/g)).toHaveLength(2);
    dashboard.press('z');
    await dashboard.shows('✓ Put back 2,100.');
    await expect(query("select distinct status from issues where title = 'Xylophone'")).resolves.toEqual([
      { status: 'Closed' },
    ]);
    await query("delete from issues where title = 'Xylophone' returning id");
  });
});
