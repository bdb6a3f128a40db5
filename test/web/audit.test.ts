import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { webHere } from '../support/page.ts';
import { dialog, hold, live, save } from './steps.ts';

const dashboard = webHere();
const total = 2_000;

/** Old entries, so that what a test does comes before them. */
beforeAll(async () => {
  await dashboard.backoffice.superadmin.client.call('audit.list', { limit: 1 });
  await dashboard.backoffice.sql(
    `insert into audit_records (id, created_at, actor_kind, actor_name, door, operation, event, subject_id, before, after)
     select -n, now() - interval '2 days' - n * interval '1 minute', 'admin', 'old@example.com', 'cli',
       'issues.changeStatus', 'issue.updated', n::text, '{"status": "Open"}', '{"status": "Closed"}'
     from generate_series(1, $1::integer) n`,
    [total],
  );
});

const grid = (page: Page) => page.getByRole('grid', { name: 'Audit records' });
const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text });
const createIssue = (title: string) =>
  dashboard.backoffice.superadmin.client.call('issues.create', { title });
const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test('filters are in the address, also an old one, and what they find is saved as CSV', async () => {
  const page = await dashboard.open('/audit?when=30d&follow=no');
  await page.getByRole('button', { name: 'Time: Last 30 days' }).waitFor();
  await page.getByText('backoffice audit verify').waitFor();
  await page.getByRole('button', { name: 'Who', exact: true }).click();
  // He is no admin any more.
  await page.getByLabel('Search who').fill('old@example.com');
  await page.getByRole('option', { name: 'old@example.com' }).click();
  await page.getByText('2,000 audit records').waitFor();
  await expect.poll(() => search(page)).toMatchObject({ actor: 'old@example.com' });

  // A long export can be stopped.
  const release = await hold(page, /cursor=/);
  await page.getByRole('button', { name: 'CSV: audit records' }).click();
  await page.getByRole('button', { name: 'Cancel CSV: audit records' }).getByText('1,000 of 2,000').waitFor();
  await page.getByRole('button', { name: 'Cancel CSV: audit records' }).click();
  await page.getByRole('button', { name: 'CSV: audit records', exact: true }).waitFor();
  release();
  const { content } = await save(page, 'CSV: audit records');
  const lines = content.toString().trimEnd().split('\r\n');
  expect(lines).toHaveLength(total + 1);
  expect(lines[0]).toBe(
    '\uFEFFId,When,Who,Kind of actor,Id of actor,Via,From,Operation,Event,Subject,Before,After',
  );
  expect(lines[1]).toContain('"{""status"":""Open""}","{""status"":""Closed""}"');

  await page.getByRole('button', { name: 'Who: old@example.com' }).click();
  await page.getByRole('button', { name: 'Any who' }).click();
  await row(page, 'Session started').first().waitFor();
  await page.goto(`${dashboard.backoffice.service.url}/audit?subject=7&from=2001-09-01&to=2001-09-02`);
  await page.getByText('No audit record matches').waitFor();
  await page.getByRole('button', { name: 'Subject: 7' }).waitFor();
  await page.getByRole('button', { name: /^Time: .*2001/ }).waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await row(page, 'Session started').first().waitFor();
  await expect.poll(() => search(page)).toEqual({});
  // A time that is centuries away is none.
  for (const far of ['since=5000mo', 'since=5000-01-01', 'from=5000-01-01', 'from=0050-01-01']) {
    await page.goto(`${dashboard.backoffice.service.url}/audit?${far}`);
    await page.getByRole('button', { name: 'Time: Any time' }).waitFor();
  }
});

test('who did it is chosen among more admins than a page has', async () => {
  const { client } = dashboard.backoffice.superadmin;
  for (let number = 1; number <= 11; number += 1)
    await client.call('admins.create', { email: `who-${number}@example.com`, password: 'staple battery' });
  const page = await dashboard.open('/audit');
  await page.getByRole('button', { name: 'Who', exact: true }).click();
  await page.getByRole('option', { name: 'who-11@example.com' }).waitFor();
});

test('new records wait, and no record is shown twice, also after a connection that was lost', async () => {
  const page = await dashboard.open('/audit?event=issue.created,issue.updated');
  await row(page, 'old@example.com').first().waitFor();
  await live(page);
  await createIssue('First');
  await page.getByRole('button', { name: '1 new' }).click();
  await row(page, 'Title: First').waitFor();

  await page.context().setOffline(true);
  await createIssue('Second');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: '1 new' }).click();
  await row(page, 'Title: Second').waitFor();
  await expect.poll(() => row(page, 'Title: First').count()).toBe(1);
});

test('a record shows what differs, and leads to its subject and to others of the same actor', async () => {
  const { client, email } = dashboard.backoffice.superadmin;
  const { id } = await createIssue('The parcel is lost in the depot');
  const set = { title: 'The parcel is found in the depot' };
  await client.call('issues.update', { ids: [id], set });
  const page = await dashboard.open(`/audit?subject=${id}&event=issues.updated`);
  await row(page, 'Issues updated').getByRole('link').click();
  const drawer = dialog(page);
  await drawer.getByText('The parcel is lost in the depot').waitFor();
  await drawer.getByText('The parcel is found in the depot').waitFor();
  // A link works in a new tab, whatever the filter.
  const { entry } = search(page);
  await page.goto(`${dashboard.backoffice.service.url}/audit?q=nothing-has-this-word&entry=${entry}`);
  await drawer.getByText('The parcel is lost in the depot').waitFor();
  await drawer.getByRole('link', { name: 'All their changes' }).click();
  await row(page, 'Session started').first().waitFor();
  await expect.poll(() => search(page).actor).toBe(email);
  await page.goto(`${dashboard.backoffice.service.url}/audit?entry=${entry}`);
  await drawer.getByRole('link', { name: 'Open it' }).click();
  await drawer.getByText('The parcel is found in the depot').first().waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/issues');
});
