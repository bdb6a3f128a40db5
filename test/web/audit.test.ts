import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { webHere } from '../support/page.ts';
import { dialog, live, save } from './steps.ts';

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

const grid = (page: Page) => page.getByRole('grid', { name: 'Audit' });
const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text });
const createIssue = (title: string) =>
  dashboard.backoffice.superadmin.client.call('issues.create', { title });

test('filters are in the address, also as chips, and the filter is saved as CSV', async () => {
  const page = await dashboard.open('/audit?when=30d');
  // Those from before the chain prove nothing.
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText(/ intact, 2,000 older ones cannot be verified/).waitFor();
  const rename = (name: string) =>
    dashboard.backoffice.sql(
      `begin; set local session_replication_role = replica;
       update audit_records set actor_name = ${name} where id = (select max(id) from audit_records); commit`,
    );
  await rename(`actor_name || '!'`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('alert').getByText('was changed after it was written').waitFor();
  await rename(`rtrim(actor_name, '!')`);
  await grid(page).waitFor();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('combobox', { name: 'Who' }).fill('old@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('2,000 entries').waitFor();
  await page.keyboard.press('Escape');
  const search = () => Object.fromEntries(new URL(page.url()).searchParams);
  await expect.poll(search).toEqual({ when: '30d', actor: 'old@example.com' });

  const { content } = await save(page, 'CSV');
  const lines = content.toString().trimEnd().split('\r\n');
  expect(lines).toHaveLength(total + 1);
  expect(lines[0]).toBe(
    '\uFEFFid,created_at,actor_kind,actor_id,actor_name,door,address,operation,event,subject_id,before,after',
  );
  expect(lines[1]).toContain('"{""status"":""Open""}","{""status"":""Closed""}"');

  await page.getByRole('button', { name: 'Remove the filter Who' }).click();
  await row(page, 'session.started').first().waitFor();
});

test('new entries come in at the top, wait while one reads below, and wait while following is off', async () => {
  const page = await dashboard.open('/audit?event=issue.created,issue.updated');
  await row(page, 'old@example.com').first().waitFor();
  await live(page);
  await createIssue('First');
  await row(page, 'title: First').waitFor();

  await grid(page).press('End');
  await createIssue('Second');
  await page.getByRole('button', { name: '1 new' }).click();
  await row(page, 'title: Second').waitFor();

  await page.getByRole('switch', { name: 'Follow' }).uncheck({ force: true });
  await createIssue('Third');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.getByRole('switch', { name: 'Follow' }).check({ force: true });
  await row(page, 'title: Third').waitFor();
});

test('an entry shows what differs, and leads to its subject and to others of the same actor', async () => {
  const { client, email } = dashboard.backoffice.superadmin;
  const { id } = await createIssue('The parcel is lost in the depot');
  const set = { title: 'The parcel is found in the depot' };
  await client.call('issues.update', { ids: [id], set });
  const page = await dashboard.open(`/audit?subject=${id}&event=issues.updated`);
  await row(page, 'issues.updated').click();
  const drawer = dialog(page);
  await expect.poll(() => drawer.locator('del').allTextContents()).toContain('lost');
  await expect.poll(() => drawer.locator('ins').allTextContents()).toContain('found');
  // A link works in a new tab, whatever the filter.
  const entry = new URL(page.url()).searchParams.get('entry');
  await page.goto(`${dashboard.backoffice.service.url}/audit?q=nothing-has-this-word&entry=${entry}`);
  await drawer.getByText('lost', { exact: true }).waitFor();
  await drawer.getByRole('link', { name: 'Other entries' }).click();
  await row(page, 'session.started').first().waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('actor')).toBe(email);
  await page.goto(`${dashboard.backoffice.service.url}/audit?entry=${entry}`);
  await drawer.getByRole('link', { name: 'Open it' }).click();
  await drawer.getByText('The parcel is found in the depot').first().waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/issues');
});
