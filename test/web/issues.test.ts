import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { webHere } from '../support/page.ts';
import {
  beforeAnswer,
  choose,
  dialog,
  fail,
  hold,
  live,
  pressForeign,
  row,
  seen,
  startConversation,
  undo,
} from './steps.ts';

const dashboard = webHere();
/** More than the page loads at once. Those of low severity are more than an event names. */
const total = 1_200;

beforeAll(async () => {
  await dashboard.backoffice.sql(
    `insert into issues (title, category, severity, description, status)
     select 'Issue ' || n, 'Web', case when n % 10 = 0 then 'Critical' else 'Low' end, 'Text ' || n, 'Open'
     from generate_series(1, $1) n`,
    [total],
  );
});

const idOf = async (title: string) => {
  const found = 'select id from issues where title = $1';
  const [issue] = await dashboard.backoffice.sql<{ id: string }>(found, [title]);
  return Number(issue?.id);
};
const statuses = () =>
  dashboard.backoffice.sql<{ status: string; count: number }>(
    'select status, count(*)::integer as count from issues group by status order by status',
  );

test('a long list has few rows in the document, and its end is reached', async () => {
  const page = await dashboard.open('/issues');
  await page.getByText('1,200 issues').waitFor();
  const grid = page.getByRole('grid', { name: 'Issues' });
  await grid.focus();
  const oldest = page.getByText('Issue 1', { exact: true });
  // Each press shows the end of what is loaded, which loads more.
  while ((await oldest.count()) === 0) {
    await page.keyboard.press('End');
    expect(await page.getByRole('row').count()).toBeLessThan(100);
  }
});

test('the words of all marks stand on one line', async () => {
  const page = await dashboard.open('/issues');
  await page.locator('[role="grid"] [data-word]').first().waitFor();
  const tops = await page.evaluate(`{
    const mark = document.querySelector('[role="grid"] [data-word]');
    const words = ['critical', 'high', 'low', 'open', 'in progress', 'resolved', 'closed', 'pending'];
    const line = document.createElement('p');
    for (const word of words) line.append(Object.assign(mark.cloneNode(true), { textContent: word }));
    line.childNodes.forEach((each, index) => each.setAttribute('data-word', words[index]));
    document.body.append(line);
    const range = document.createRange();
    [...line.childNodes].map((each) => {
      range.selectNodeContents(each);
      return range.getBoundingClientRect().top;
    });
  }`);
  expect(new Set(tops as number[]).size).toBe(1);
});

test.each([
  ['desk', 900],
  ['phone', 375],
])('the head and the row that the keys act on are seen wherever they lead, on a %s', async (kind, width) => {
  const page = await dashboard.open('/issues?severity=Low', { viewport: { width, height: 600 } });
  await page.getByText('1,080 issues').waitFor();
  const grid = page.getByRole('grid', { name: 'Issues' });
  const active = page.locator('[role="row"][data-active]');
  await grid.focus();
  for (let presses = 0; presses < 20; presses++) await page.keyboard.press('j');
  await seen(active);
  if (kind === 'desk') await seen(page.getByRole('columnheader', { name: 'Title' }));
  // What one does with the selection takes a part of the list.
  await page.keyboard.press('x');
  await page.getByRole('region', { name: 'Selected issues' }).waitFor();
  await seen(active);
  await page.keyboard.press('PageUp');
  await seen(active);
  await page.evaluate(`document.querySelector('[role="grid"]').scrollTo({ top: 20_000 })`);
  await expect.poll(() => active.count()).toBe(0);
  await page.keyboard.press('x');
  await seen(active);
  expect(await active.getAttribute('aria-selected')).toBe('true');
});

test('selects with the keyboard, changes in bulk as one change, and undoes it', async () => {
  const page = await dashboard.open('/issues?severity=Low&sort=created_at');
  await page.getByText('1,080 issues').waitFor();
  await page.getByRole('grid').focus();
  for (const key of ['x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await page.getByText('3 issues selected').waitFor();
  await page.getByRole('button', { name: 'Select all 1,080' }).click();
  await page.getByText('1,080 issues selected').waitFor();
  // What is taken out of all stays as it is.
  await page.getByRole('grid').press('x');
  await page.getByText('1,080 issues selected').waitFor({ state: 'detached' });
  expect(await row(page, 'Issue 3').first().getAttribute('aria-selected')).toBe('false');
  await page.getByRole('grid').press('Control+a');
  await page.getByText('1,080 issues selected').waitFor();
  await choose(page, 'Set status', 'Resolved');
  await page.getByText('1,080 issues changed').waitFor();
  await page.locator('[role="grid"]:focus').waitFor();
  expect(await statuses()).toEqual([
    { status: 'Open', count: 120 },
    { status: 'Resolved', count: 1_080 },
  ]);
  // The events of the change, which come before that of a colleague, say nothing new to the page that made it.
  const change = { ids: [await idOf('Issue 2')], set: { title: 'Issue 2, again' } };
  await dashboard.backoffice.superadmin.client.call('issues.update', change);
  await row(page, 'Issue 2, again').waitFor();
  await undo(page, '1,080 issues changed');
  await page.getByText('1,080 issues restored.').waitFor();
  expect(await statuses()).toEqual([{ status: 'Open', count: total }]);
});

test('filters, search, sort and the drawer are in the address, and work in a new tab', async () => {
  const page = await dashboard.open('/issues');
  await page.getByRole('searchbox', { name: 'Search issues' }).fill('Issue 1130');
  await page.getByText('1 issue', { exact: true }).waitFor();
  await row(page, 'Issue 1130').click();
  const drawer = dialog(page);
  await drawer.getByText('Text 1130').waitFor();
  expect(new URL(page.url()).search).toMatch(/&q=Issue\+1130&issue=\d+$/);
  await page.goto(page.url());
  await drawer.getByText('Text 1130').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.goBack();
  await drawer.getByText('Text 1130').waitFor();
});

test('shows what a colleague changes and reports, also while the page connects, and does not announce what it has loaded', async () => {
  const page = await dashboard.open('/profile');
  const colleague = (await dashboard.backoffice.service.signIn('user')).client;
  const connect = await hold(page, /\/api\/admin\/events(\?|$)/);
  const created = row(page, 'Issue 1197 too');
  await beforeAnswer(page, /\/api\/admin\/session\?/, () =>
    colleague.call('issues.create', { title: 'Issue 1197 too', severity: 'Low' }),
  );
  await page.goto(`${dashboard.backoffice.service.url}/issues?q=Issue 1197`);
  await created.getByText('Open').waitFor();
  const id = await idOf('Issue 1197 too');
  await colleague.call('issues.changeStatus', { id, status: 'Closed' });
  connect();
  await created.getByText('Closed').waitFor();
  await colleague.call('issues.changeStatus', { id, status: 'Resolved' });
  await created.getByText('Resolved').waitFor();
  expect(await page.getByRole('button', { name: /\d new/ }).count()).toBe(0);

  const shown = { severity: 'Critical', category: 'Speed' } as const;
  await colleague.call('issues.update', { ids: [id], set: shown });
  for (const word of Object.values(shown)) await created.getByText(word).waitFor();
  await colleague.call('issues.create', { title: 'Issue 1197 again', severity: 'Low' });
  await page.getByRole('button', { name: '1 new' }).click();
  await row(page, 'Issue 1197 again').waitFor();
});

test('the pages Issues and Charts say what failed, and try again', async () => {
  const page = await dashboard.open('/profile', { expected: [500] });
  await live(page);
  for (const [name, path, shown] of [
    ['Issues', 'issues?*', row(page, 'Issue 1200')],
    ['Charts', 'issues/trend?*', page.locator('[data-bar]').nth(29)],
  ] as const) {
    await fail(page, `**/api/admin/${path}`, 'The database is unavailable.');
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await page.getByText('The database is unavailable.').waitFor();
    await page.unroute(`**/api/admin/${path}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await shown.waitFor();
  }
});

/** Makes an issue for a test, and returns its id. */
async function makeIssue(title: string): Promise<number> {
  const { client } = dashboard.backoffice.superadmin;
  return (await client.call('issues.create', { title, severity: 'Low', description: 'It is broken.' })).id;
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name });

test('reports an issue by the keyboard: the draft outlives the page, and the service names what is wrong', async () => {
  const page = await dashboard.open('/issues', { expected: [400] });
  await row(page, 'Issue 1200').waitFor();
  await page.keyboard.press('c');
  const report = dialog(page, 'Report an issue');
  await field(page, 'Description').fill('Since Monday.');
  await report.getByRole('button', { name: 'Report' }).click();
  await report.getByText('Title is required').waitFor();
  await field(page, 'Title').and(page.locator(':focus')).waitFor();
  await page.reload();
  await expect.poll(() => field(page, 'Description').inputValue()).toBe('Since Monday.');
  await field(page, 'Title').fill('Nobody can pay');
  await field(page, 'Title').press('Enter');
  await dialog(page).getByRole('heading', { name: 'Nobody can pay' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  expect(await field(page, 'Description').inputValue()).toBe('');
});

test('edits an issue that a colleague edits: shows both texts, loses nothing, and undoes it', async () => {
  const id = await makeIssue('Slow start');
  const colleague = (await dashboard.backoffice.service.signIn('user')).client;
  const page = await dashboard.open(`/issues?issue=${id}`, { expected: [409] });
  await page.getByRole('heading', { name: 'Slow start' }).waitFor();
  await live(page);
  await page.keyboard.press('e');
  await field(page, 'Title').fill('Very slow start');
  await field(page, 'Description').fill('It takes a minute.');
  await colleague.call('issues.update', { ids: [id], set: { title: 'Slow end', category: 'Speed' } });
  await page.getByRole('note').getByText('Slow end').waitFor();
  await page.reload();
  await expect.poll(() => field(page, 'Title').inputValue()).toBe('Very slow start');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed meanwhile: title is now Slow end.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Very slow start' }).waitFor();
  const fields = 'select title, category, description from issues where id = $1';
  const stored = () => dashboard.backoffice.sql(fields, [id]);
  expect(await stored()).toEqual([
    { title: 'Very slow start', category: 'Speed', description: 'It takes a minute.' },
  ]);
  await undo(page, `Issue ${id} changed`);
  await page.getByRole('heading', { name: 'Slow end' }).waitFor();
  expect(await stored()).toEqual([{ title: 'Slow end', category: 'Speed', description: 'It is broken.' }]);

  await page.getByRole('tab', { name: 'History' }).click();
  const change = page.getByRole('tabpanel').getByRole('article').filter({ hasText: 'Speed' });
  await change.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByRole('heading', { name: 'Slow start' }).waitFor();
  expect(await stored()).toMatchObject([{ title: 'Slow start', category: 'Other' }]);
});

test('Escape leaves the form of an issue first, asking if something was changed, and then the issue', async () => {
  const id = await makeIssue('Left by Escape');
  const page = await dashboard.open(`/issues?issue=${id}`);
  const heading = page.getByRole('heading', { name: 'Left by Escape' });
  const edit = dialog(page).getByRole('button', { name: 'Edit', exact: true });
  await edit.click();
  await field(page, 'Title').press('Escape');
  await edit.and(page.locator(':focus')).press('e');
  await field(page, 'Title').fill('Changed');
  const question = dialog(page, `Discard your changes to issue ${id}?`);
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await heading.waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('two persons comment on an issue, assign and link it, and one deletes it', async () => {
  const id = await makeIssue('Shared work');
  await startConversation(dashboard.backoffice, 'Karim', 'Invoice of March');
  const page = await dashboard.open(`/issues?q=Shared work&issue=${id}`);
  const other = await dashboard.open(`/issues?q=Shared work&issue=${id}`, {
    as: await dashboard.backoffice.service.signIn('user'),
  });
  await live(other);
  await field(page, 'Comment').fill('I look at it.');
  await page.keyboard.press('Control+Enter');
  await other.getByText('I look at it.').waitFor();
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Comment' }).first().fill('I have fixed it.');
  await page.keyboard.press('Control+Enter');
  await other.getByText('I have fixed it.').waitFor();

  await page.getByRole('button', { name: 'Assign to me' }).click();
  const assignee = dialog(other).getByRole('combobox', { name: 'Assignee' });
  await expect.poll(() => assignee.inputValue()).toMatch(/^superadmin/);
  await page.getByRole('tab', { name: 'Links' }).click();
  await other.getByRole('tab', { name: 'Links' }).click();
  await page.getByRole('combobox', { name: 'Link a conversation' }).fill('invoice');
  await page.getByRole('option', { name: 'Invoice of March · Karim' }).click();
  const link = other.getByRole('link', { name: 'Invoice of March' });
  await link.waitFor();
  await page.getByRole('button', { name: 'Remove the link to Invoice of March' }).click();
  await link.waitFor({ state: 'detached' });
  await undo(page, 'Link removed');
  await link.waitFor();

  const actions = `Actions for issue ${id}`;
  await other.getByRole('button', { name: actions }).click();
  await other.getByRole('menuitem', { name: 'Delete… Only admins and superadmins may do this.' }).waitFor();
  await choose(page, actions, 'Delete…');
  await dialog(page, `Delete issue ${id}?`).getByRole('button', { name: 'Delete issue' }).click();
  await other.getByRole('heading', { name: 'There is no such issue' }).waitFor();
  await row(other, 'Deleted: Shared work').waitFor();
});

test('the keys j and k lead from issue to issue, and a colleague is chosen for many at once', async () => {
  for (const name of ['first', 'second']) await makeIssue(`Chain ${name}`);
  const page = await dashboard.open('/issues?q=Chain&sort=created_at');
  await row(page, 'Chain first').waitFor();
  // Without the focus in the table, the first press leads there.
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const title = (name: string) => page.getByRole('heading', { name: `Chain ${name}` });
  await title('first').waitFor();
  for (const [key, name] of [
    ['j', 'second'],
    ['k', 'first'],
  ] as const) {
    await page.keyboard.press(key);
    await title(name).waitFor();
  }
  await page.keyboard.press('Escape');
  await title('first').waitFor({ state: 'detached' });
  // The drawer gives the focus back to the table.
  await page.locator('[role="grid"]:focus-within').waitFor();
  await pressForeign(page, 'ч', 'KeyX');
  await page.getByRole('button', { name: 'Select all 2' }).click();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByRole('option', { name: 'Me', exact: true }).click();
  await page.getByText('2 issues changed').waitFor();
  await page.getByRole('link', { name: 'Assigned to me' }).click();
  await row(page, 'Chain second').waitFor();
  await pressForeign(page, 'я', 'KeyZ');
  await page.getByText('2 issues restored.').waitFor();
});

test('a change of more than one call shows how far it is, ends when it is cancelled, and is undone', async () => {
  await dashboard.backoffice.sql(
    `insert into issues (title, category) select 'Many ' || n, 'Bulk' from generate_series(1, 10001) n`,
  );
  const page = await dashboard.open('/issues?category=Bulk');
  await row(page, 'Many 10001').waitFor();
  await page.getByRole('grid').press('x');
  await page.getByRole('button', { name: 'Select all 10,001' }).click();
  await page.getByRole('button', { name: 'Set severity' }).click();
  // The first of two calls is under way until it is cancelled.
  const goOn = await hold(page, '**/api/admin/issues');
  await page.getByRole('option', { name: 'High' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  goOn();
  await page.getByText('10,000 issues changed').waitFor();
  const counted = `select count(*)::integer from issues where category = 'Bulk' and severity = 'High'`;
  expect(await dashboard.backoffice.sql(counted)).toEqual([{ count: 10_000 }]);
  await undo(page, '10,000 issues changed');
  await page.getByText('10,000 issues restored.').waitFor();
  expect(await dashboard.backoffice.sql(counted)).toEqual([{ count: 0 }]);
});
