import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../../../cli/access/access.ts';
import { memoryPreferences } from '../../../../cli/dashboard/app/preferences.ts';
import { NotConnectedError } from '../../../../cli/errors.ts';
import { BackofficeError, starting } from '../../../../src/contract/errors.ts';
import { queryRows } from '../../../support/postgres/seeded.ts';
import type { Dashboard, DashboardOptions } from '../../../support/run/dashboard.ts';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('the issues screen', () => {
  const tests = dashboardHere({ issues: 120, conversations: 5 });

  beforeAll(async () => {
    await tests.client.call('issues.create', {
      title: 'Evil \u001B[2J title',
      severity: 'Critical',
      description: 'D'.repeat(500),
    });
  });

  const open = async (options?: DashboardOptions) => {
    const dashboard = tests.open({ view: 'All', ...options });
    await dashboard.shows(/❯ +\d+ +Evil/);
    return dashboard;
  };
  const idAtCursor = (dashboard: Dashboard) => Number(/❯[ ✓•]* (\d+)/.exec(dashboard.frame())?.[1]);
  const query = <Row extends object>(text: string) => queryRows<Row>(tests.service.databaseUrl, text);
  const newest = async (field: string) =>
    (
      await query<Record<string, string>>(
        `select ${field} from issues order by created_at desc, id desc limit 2`,
      )
    ).map((row) => row[field]);

  test('says that it could not refresh as long as that is so, and leaves the bottom line alone', async () => {
    let isStarting = false;
    const call: Access['call'] = (...of) =>
      isStarting ? Promise.reject(new BackofficeError(starting)) : tests.access.call(...of);
    const dashboard = tests.openWith({ ...tests.access, call }, { view: 'All' });
    await dashboard.shows(/❯ +\d+ +Evil/);
    isStarting = true;
    dashboard.app.refresh();
    const frame = await dashboard.shows(/^ {2}All .*✗ The service is starting\./m);
    expect(frame).toContain('? help');
    isStarting = false;
    dashboard.app.refresh();
    expect(await dashboard.hides('✗')).toContain('? help');
  });

  test('changes status, severity and category of several issues, each with one undo, several times', async () => {
    const dashboard = await open();
    const before = await newest('severity');
    await dashboard.after('space space', '✓ 2 issues');
    await dashboard.after('s', '── Status of 2 issues');
    await dashboard.after('G enter', '✓ 2 issues: status Closed. z undoes it.');
    expect(await newest('status')).toEqual(['Closed', 'Closed']);
    const [record] = await query<{ door: string }>(
      "select door from audit_records where operation = 'issues.update' limit 1",
    );
    expect(record?.door).toBe('tui');
    await dashboard.after('g space space p', '── Severity of 2 issues');
    await dashboard.after('j enter', /✓ \d issues?: severity High/);
    await dashboard.after('L', /❯ 2 issues: severity High[\s\S]*2 issues: status Closed/);
    await dashboard.after('esc z', /✓ Restored \d issues?\./);
    expect(await newest('severity')).toEqual(before);
    await dashboard.after('z', '✓ Restored 2 issues.');
    await dashboard.after('z', 'There is nothing to undo.');
    await query("update issues set status = 'Open' where title like 'Evil%' returning id");
  });

  test('assigns an issue unless somebody has assigned it since, and shows that in its details', async () => {
    const { client } = tests;
    const { admin } = await client.call('session.show', {});
    const dashboard = await open({ rows: 40 });
    await dashboard.after('enter A', '── Assign #');
    await dashboard.after('"grace" enter', /✓ #\d+: assigned to grace\. z undoes it\./);
    await dashboard.shows('· @grace');
    await dashboard.after('z', '✓ Restored 1 issue.');
    await dashboard.shows('· not assigned');
    await dashboard.app.screen().refresh();
    await dashboard.after('A', 'Nobody');
    await client.call('issues.update', {
      ids: [idAtCursor(dashboard)],
      set: { assignee_id: admin?.id ?? '' },
    });
    await dashboard.after('"nobody" enter', 'Changed meanwhile');
    await client.call('issues.update', { ids: [idAtCursor(dashboard)], set: { assignee_id: null } });
  });

  test('adds a label that it makes, filters by it, and removes it', async () => {
    const dashboard = await open({ columns: 160 });
    await dashboard.after('#', '── Labels of #');
    await dashboard.after('"tricky one"', 'Enter makes this label.');
    await dashboard.after('enter', /✓ #\d+: with the label tricky one/);
    await dashboard.after('/ "label:" "tricky" enter', /Nothing|No issue/);
    await dashboard.after(`/ ctrl+u "label:'tricky one'" enter`, / 1 of 1 /);
    await dashboard.shows(/Evil .* tricky one/);
    await dashboard.after('# "tricky" enter', /✓ #\d+: without the label tricky one/);
  });

  test('adds, edits and deletes a comment', async () => {
    const dashboard = await open({ rows: 60 });
    await dashboard.after('enter +', '── Comment on #');
    await dashboard.after('"Only with Safari" esc q', /Not saved: comment on #\d+\. Quit\?/);
    await dashboard.after('n + " 17." ctrl+s', / root · .*\n +Only with Safari 17\./);
    await dashboard.after('C', /❯ root .*Only with Safari/);
    await dashboard.after('enter', '── Edit the comment');
    await dashboard.after('backspace " and 18." ctrl+s', /edited\n +Only with Safari 17 and 18\./);
    await dashboard.after('C', /❯ root /);
    await dashboard.after('D', /Delete the comment of \S+\?/);
    dashboard.press('y', 'esc');
    await dashboard.hides('Only with Safari');
  });

  test('edits the texts of an issue, takes over what others have changed, and asks again', async () => {
    const { client } = tests;
    const { id } = await client.call('issues.create', { title: 'Chekout hangs', category: 'Payments' });
    const dashboard = tests.open({ rows: 40 });
    await dashboard.shows(/❯ +\d+ +Chekout hangs/);
    await dashboard.after('e', `── Edit #${id}`);
    await client.call('issues.update', {
      ids: [id],
      set: { title: 'Checkout is slow', category: 'Accounts' },
    });
    dashboard.press('ctrl+u');
    await dashboard.after(
      '"Checkout hangs" ctrl+s',
      /✗ Changed meanwhile: title is now Checkout is slow\. Ctrl-S again/,
    );
    await dashboard.shows(/Category +Accounts/);
    await dashboard.after('ctrl+s', `✓ Saved #${id}.`);
    await dashboard.shows(/❯ .*\d+ +Checkout hangs/);
    await client.call('issues.delete', { id: String(id) });
  });

  test('asks before it quits while a change runs, and keeps what was selected after it was stopped', async () => {
    const { access } = tests;
    const answering = Promise.withResolvers<void>();
    const sent: number[] = [];
    const call = async (id: string, input: unknown) => {
      if (id === 'issues.update') {
        sent.push((input as { ids: number[] }).ids.length);
        await answering.promise;
      }
      return access.call(id as 'issues.update', input as never);
    };
    const dashboard = tests.openWith({ ...access, call } as Access, { view: 'All' });
    await dashboard.shows(/❯ +\d+ +Evil/);
    await dashboard.after('a s G enter', /Change \d+ issues: status Closed\?/);
    dashboard.press('y');
    await expect.poll(() => sent.length).toBe(1);
    await dashboard.after('q', 'Esc stops it. Quit?');
    dashboard.press('n', 'esc');
    answering.resolve();
    await dashboard.shows(/✓ \d+ issues: status Closed\. Stopped\. z undoes it\./);
    await dashboard.after('z', /✓ Restored \d+ issues\./);
  });

  test('names the keys that somebody has chosen, and none that is refused', async () => {
    const { access } = tests;
    const ownKeys = { back: ['ctrl+g'], 'issues.create': ['N'], 'list.selectAll': ['alt+a'] };
    const none = async (id: string, input: object) =>
      id === 'issues.list' && 'limit' in input
        ? { issues: [], nextCursor: null, total: 0 }
        : access.call(id as 'issues.list', input as never);
    const empty = { ...access, call: none } as Access;
    await tests.openWith(empty, { view: 'All', ownKeys }).shows('No issues yet. N reports one. `backoffice');
    await tests
      .openWith(empty, { view: 'All', isReadOnly: true })
      .shows('No issues yet. `backoffice connect`');
    const call = async (id: string, input: unknown) =>
      await (id === 'issues.update'
        ? new Promise(() => {})
        : access.call(id as 'issues.update', input as never));
    const changing = tests.openWith({ ...access, call } as Access, { view: 'All', ownKeys, columns: 120 });
    await changing.shows(/❯ +\d+ +Evil/);
    await changing.after('s G enter', 'status Closed. Ctrl-G stops it.');
    await changing.after('z', /· #\d+: status Closed\. Ctrl-G stops it\.\s*$/m);
    await changing.after('s', 'A change is running. Ctrl-G stops it.');
  });

  test('selects a range from the row on which it began, also if others come above it', async () => {
    const dashboard = tests.open({ view: 'All', columns: 120 });
    await dashboard.shows(/❯ +\d+ /);
    await dashboard.after('V', /✓ 1 issue of/);
    const { id } = await tests.client.call('issues.create', { title: 'Come above' });
    dashboard.app.refresh();
    await dashboard.shows('Come above');
    await dashboard.after('j', /✓ 2 issues of/);
    await tests.client.call('issues.delete', { id: String(id) });
  });

  test('reports and comments once, although it is saved again because nobody answered', async () => {
    const { access } = tests;
    const lost = new Set<string>(['issues.create', 'comments.create']);
    const call: typeof access.call = async (operation, ...input) => {
      const answer = await access.call(operation, ...input);
      if (lost.delete(operation)) throw new NotConnectedError('The server did not answer.');
      return answer;
    };
    const dashboard = tests.openWith({ ...access, call }, { view: 'All', columns: 120 });
    await dashboard.shows(/❯ +\d+ /);
    await dashboard.after('n "Marimba" ctrl+s', 'Whether it was reported is not known.');
    await dashboard.after('ctrl+s', /✓ Reported #\d+\./);
    await dashboard.after('/ "marimba" enter', /❯.*\d+ +Marimba/);
    await dashboard.after('+ "Still so." ctrl+s', 'Whether it was added is not known.');
    await dashboard.after('ctrl+s', '✓ Added the comment');
    expect(await query("select title from issues where title = 'Marimba'")).toHaveLength(1);
    expect(await query("select content from comments where content = 'Still so.'")).toHaveLength(1);
    await query("delete from issues where title = 'Marimba' returning id");
  });

  test('changes no selected issue that another filter has taken out of the list', async () => {
    await query("insert into issues (title) select 'Glockenspiel' from generate_series(1, 210) returning id");
    const { id } = await tests.client.call('issues.create', { title: 'Trombone' });
    await tests.client.call('issues.create', { title: 'Trombone, too' });
    const dashboard = tests.open({ view: 'All', columns: 120 });
    await dashboard.after('/ "glockenspiel" enter', /❯.*\d+ +Glockenspiel/);
    await dashboard.after('a a', '✓ all that match');
    await dashboard.after('/ ctrl+u "trombone" enter', /❯.*\d+ +Trombone, too/);
    expect(dashboard.frame()).not.toContain('✓');
    await dashboard.after('j', /❯.*\d+ +Trombone /);
    await dashboard.after('s G enter', `✓ #${id}: status Closed.`);
    await dashboard.after('/ ctrl+u enter a', /✓ \d+ issues of \d+ loaded/);
    const left = "select distinct title from issues where status = 'Closed' and title ~ 'Glock|Tromb'";
    expect(await query(left)).toEqual([{ title: 'Trombone' }]);
    await query("delete from issues where title ~ 'Glock|Tromb' returning id");
  });

  test('deletes issues after a question', async () => {
    const { id } = await tests.client.call('issues.create', { title: 'Test, please ignore' });
    const dashboard = tests.open();
    await dashboard.shows(/❯ +\d+ +Test, please/);
    await dashboard.after('D', `Delete #${id} with all comments? This cannot be undone.`);
    await dashboard.after('y', `✓ Deleted #${id}.`);
    await dashboard.hides('Test, please');
  });

  test('shows the history of an issue, and undoes a change of it', async () => {
    const dashboard = await open();
    await dashboard.after('s j enter', /✓ #\d+: status In Progress/);
    await dashboard.after('H', /❯ Status: Open → In Progress|❯ status: Open → In Progress/i);
    await dashboard.after('enter', /Undo .*status.*\?/i);
    await dashboard.after('y', '✓ Restored 1 issue.');
    expect(await newest('status')).toEqual(['Open', expect.anything()]);
  });

  test('says that a change of the history changed other rows too, and that an empty list has no row', async () => {
    const { client } = tests;
    const one = await client.call('issues.create', { title: 'One of two' });
    const other = await client.call('issues.create', { title: 'The other' });
    await client.call('issues.update', { ids: [one.id, other.id], set: { status: 'In Progress' } });
    const dashboard = tests.open();
    await dashboard.after('/ "of two" enter', /❯ .*One of two/);
    await dashboard.after('H', /❯ status: Open → In Progress/);
    await dashboard.after('enter', /Undo change \d+ \(status of #\d+\), on all rows that it changed\?/);
    await dashboard.after('y', '✓ Restored 2 issues.');
    await dashboard.after('/ ctrl+u "nowhere to be found" enter', 'No issue matches.');
    await dashboard.after('s', 'The list is empty.');
    await dashboard.after('H', 'The list is empty.');
    await client.call('issues.delete', { id: `${one.id},${other.id}` });
  });

  test('filters as the user types, names what cannot match, and recalls earlier filters', async () => {
    const dashboard = await open();
    await dashboard.after('/ "severity:critical evil"', / Evil/);
    await dashboard.after('ctrl+u "severity:crit evil" enter', / 1 of 1 /);
    await dashboard.after('/ ctrl+u "severity:crix"', 'No severity “crix”. Use ');
    await dashboard.after('ctrl+u "owner:me"', 'There is no owner:.');
    await dashboard.after('up', '/ severity:crit evil');
    dashboard.press('enter', 'esc');
    await dashboard.shows(/ 1 of 12\d/);
  });

  test('starts at the first row after another filter, and sorts in both orders', async () => {
    const dashboard = await open({ columns: 120 });
    await dashboard.after('G', /❯/);
    await dashboard.after('S', /S … .*c sort by created.*v sort by severity/);
    await dashboard.after('v', /SEVERITY ▼.*\n❯.* Critical /);
    await dashboard.after('S v', /SEVERITY ▲.*\n❯.* Low /);
    await dashboard.after('v', /status:open.*\n.*\n❯/);
  });

  test('opens with the unresolved issues, and saves, renames and deletes a view', async () => {
    let dashboard = tests.open({ columns: 120 });
    await dashboard.shows('Unresolved  status:open,inprogress');
    await dashboard.after('/ "status:closed" enter', / Closed /);
    await dashboard.after('c', /❯ ✓ id[\s\S]*✓ title/);
    await dashboard.after('j j j j enter', / {3}category| {2}category/);
    await dashboard.after('esc S v w', /Unresolved +status:open,inprogress/);
    await dashboard.after('s ctrl+u "Old ones" ctrl+s', '✓ Saved the view Old ones.');
    await dashboard.shows(/Old ones +status:closed/);
    await dashboard.after('G *', /❯ \* Old ones +status:closed/);
    await dashboard.after('r ctrl+u "Older ones" ctrl+s', /❯ \* Older ones/);
    dashboard.close();
    dashboard = tests.open({ views: await tests.views(), columns: 120 });
    await dashboard.shows('Older ones  status:closed');
    expect(await dashboard.shows('SEVERITY ▼')).not.toContain('CATEGORY');
    const { views } = await tests.access.call('views.list');
    const saved = { name: 'Older ones', filter: { status: 'Closed' }, sort: '-severity', is_first: true };
    expect(views).toEqual([expect.objectContaining(saved)]);
    await dashboard.after('w G D', 'Delete the view Older ones?');
    dashboard.press('y');
    await dashboard.hides('Older ones');
    await dashboard.after('g r', 'This view is built in.');
  });

  test('keeps what is typed as the name of a view for that view and that list', async () => {
    const { call } = tests.access;
    for (const [name, status] of [
      ['Older', 'Closed'],
      ['Solved', 'Resolved'],
    ] as const)
      await call('views.save', { list: 'issues', name, filter: { status } });
    const dashboard = tests.open({ views: await tests.views(), columns: 120 });
    await dashboard.after('w G k', /❯ +Older/);
    await dashboard.after('r "x" esc j', /❯ +Solved/);
    await dashboard.after('r', /── Rename the view[\s\S]* Name +Solved/);
    await dashboard.after('"y" ctrl+s', /❯ +Solvedy/);
    await dashboard.after('s "Half a na" esc esc 3 w', /❯ \* All/);
    expect(await dashboard.after('s', '── Save the view')).not.toContain('Half a na');
    await dashboard.after('"Talks" ctrl+s', '✓ Saved the view Talks.');
    const { views } = await call('views.list');
    expect(views.map(({ list, name }) => `${list}/${name}`)).toEqual([
      'conversations/Talks',
      'issues/Older',
      'issues/Solvedy',
    ]);
    for (const { list, name } of views) await call('views.delete', { list: list as 'issues', name });
  });

  test('opens views of an earlier version, without what went', async () => {
    const preferences = memoryPreferences({
      defaultView: 'By title',
      views: {
        'By title': { filter: 'status:open', sort: 'title', columns: ['id', 'created', 'gone'] },
        Updated: { sort: '-updated', columns: ['title', 'updated'] },
      },
    });
    const dashboard = tests.open({ preferences, columns: 120 });
    expect(await dashboard.shows(/By title.*\n +ID +CREATED ▼\n/)).not.toContain('TITLE');
    await dashboard.after('w j j j enter', /TITLE +UPDATED ▼/);
    dashboard.close();
    const named = tests.open({ preferences, view: 'unsettled' });
    await named.shows('Unresolved');
  });

  test('brings views of an earlier version to the server once, and shows what others save there', async () => {
    const { call } = tests.access;
    await call('views.save', { list: 'issues', name: 'Mine', filter: { status: 'Open' } });
    const former = {
      defaultView: 'Critical',
      views: {
        Critical: { filter: 'severity:crit older:1d does nothing', sort: 'age', columns: ['id', 'created'] },
        Mine: { filter: 'status:closed' },
        Wrong: { filter: 'owner:me' },
      },
      conversationViews: { Waiting: { filter: 'is:unread' } },
    };
    const preferences = memoryPreferences(former);
    const views = await tests.views(preferences);
    const filter = { severity: 'Critical', until: '1d', q: 'does nothing' };
    const sorted = { sort: '-updated_at', columns: ['id', 'created_at'] };
    const there = async () => (await call('views.list')).views.map(({ name }) => name);
    expect((await call('views.list', { list: 'issues' })).views).toMatchObject([
      { name: 'Critical', filter, ...sorted, is_first: true },
      { name: 'Mine', filter: { status: 'Open' } },
      { name: 'Mine 2', filter: { status: 'Closed' } },
    ]);
    expect(await there()).toEqual(['Waiting', 'Critical', 'Mine', 'Mine 2']);
    expect(preferences.get()).toMatchObject(former);
    const dashboard = tests.open({ preferences, views, columns: 120 });
    await dashboard.shows('Critical  severity:critical older:1d does nothing');
    await call('views.delete', { list: 'issues', name: 'Mine 2' });
    await call('views.save', { list: 'issues', name: 'Of the web', filter: { label: 'a b,c' } });
    await expect.poll(() => views.of('issues').map(({ name }) => name)).toContain('Of the web');
    await dashboard.after('w G', /Mine {2}[\s\S]*Of the web +label:"a b,c"[\s\S]*❯ .*Wrong +owner:me/);
    await dashboard.after('D', 'Delete the view Wrong?');
    await dashboard.after('y', /❯ .*Of the web/);
    // Nothing that was deleted comes back.
    expect((await tests.views(preferences)).of('issues').map(({ name }) => name)).toEqual([
      'Critical',
      'Mine',
      'Of the web',
    ]);
    for (const { list, name } of (await call('views.list')).views)
      await call('views.delete', { list: list as 'issues', name });
  });

  test('copies the link or the text of an issue, and opens it in the browser if there is one', async () => {
    const copied: string[] = [];
    const opened: string[] = [];
    const host = {
      copy: (text: string) => copied.push(text) > 0,
      browse: async (url: string) => opened.push(url) > 1,
    };
    const dashboard = await open({ host, columns: 120 });
    const link = `http://localhost:3000/issues?issue=${idAtCursor(dashboard)}`;
    await dashboard.after('y', `✓ Copied ${link}`);
    await dashboard.after('Y', '✓ Copied the text.');
    await dashboard.after('b', `✓ Copied ${link}`);
    dashboard.press('b');
    await expect.poll(() => opened).toEqual([link, link]);
    expect(copied[0]).toBe(link);
    expect(copied[1]).toContain('\nOpen · Critical · Other');
  });

  test('shows the details of an issue without control characters, and scrolls them', async () => {
    const dashboard = await open();
    expect(await dashboard.after('enter', /Open · Critical · Other/)).toContain('  Evil \uFFFD[2J title\n');
    await dashboard.after('J shift+down', 'Steps to reproduce');
    await dashboard.after('K K', '  Evil ');
    dashboard.press('esc');
    await dashboard.hides('Open · Critical · Other');
  });

  test('reports an issue, and puts the cursor on the field that is wrong', async () => {
    const dashboard = await open();
    await dashboard.after('n enter ctrl+s', '✗ Title is required');
    await dashboard.after('"From the dashboard" ctrl+s', /❯ .*\d+ +From the dashboard/);
    await query("delete from issues where title = 'From the dashboard' returning id");
  });

  test('shows what others change, and keeps the cursor on its row', async () => {
    const dashboard = await open();
    await dashboard.after('j j', /\n {2}.*\n {2}.*\n❯/);
    const before = idAtCursor(dashboard);
    await tests.client.call('issues.create', { title: 'By somebody else' });
    dashboard.app.refresh();
    await dashboard.shows(/• +\d+ +By somebody else/);
    expect(idAtCursor(dashboard)).toBe(before);
    await query("delete from issues where title = 'By somebody else' returning id");
  });

  test('changes all that match in one undo, also those that are not loaded, and asks before', async () => {
    await query("insert into issues (title) select 'Xylophone' from generate_series(1, 2100) returning id");
    const dashboard = tests.open({ view: 'All', columns: 120 });
    await dashboard.shows(/❯ +\d+ +Xylophone/);
    await dashboard.after('/ "xylophone" enter', /❯ +\d+ +Xylophone/);
    await dashboard.after('a a', '✓ all that match');
    await dashboard.after('s G enter', 'Change all 2,100 issues that match: status Closed?');
    await dashboard.after('y', '✓ 2,100 issues: status Closed. z undoes it.');
    await dashboard.after('z', '✓ Restored 2,100 issues.');
    expect(await query("select distinct status from issues where title = 'Xylophone'")).toEqual([
      { status: 'Open' },
    ]);
    await query("delete from issues where title = 'Xylophone' returning id");
  });
});
