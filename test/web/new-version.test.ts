import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { webHere } from '../support/page.ts';
import { dialog, live } from './steps.ts';

const dashboard = webHere();

/** What the browser says of a missing file. The dashboard says so itself. */
const missing = { expected: [404], errors: ['could not be loaded'], isCutOff: true };

/** Has the files of the dashboard with some names answered like files that the service does not have. */
async function remove(page: Page, files: string): Promise<void> {
  await page.route(`**/assets/${files}`, (route) => route.fulfill({ status: 404, body: '' }));
}

test('a page whose files are gone when a dialog needs them says so, and keeps what is typed', async () => {
  const { client } = dashboard.backoffice.superadmin;
  const { id } = await client.call('issues.create', { title: 'Whole', severity: 'Low' });
  const page = await dashboard.open(`/issues?issue=${id}&edit=true`, missing);
  const title = dialog(page).getByLabel('Title');
  await title.fill('Half');
  await live(page);
  const reload = page.getByRole('button', { name: 'Reload', includeHidden: true });
  await remove(page, 'confirm-dialog-*');
  await page.keyboard.press('Escape');
  await page.getByText('A part of the page could not be loaded.').waitFor();
  await reload.waitFor();
  expect(await title.inputValue()).toBe('Half');

  await page.unrouteAll({ behavior: 'wait' });
  await reload.dispatchEvent('click');
  await reload.waitFor({ state: 'detached' });
  await expect.poll(() => title.inputValue()).toBe('Half');
});

test('a page whose files another instance does not have yet tries again until it has them all', async () => {
  const page = await dashboard.open('/sign-in', { as: null, ...missing });
  await page.getByLabel('E-mail').waitFor();
  for (const files of ['index-*.js', 'index-*.css']) {
    await remove(page, files);
    await page.reload();
    await page.getByText('A new version is being started.').waitFor();
    expect(await page.getByLabel('E-mail').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByLabel('E-mail').waitFor();
  }
});

test('says that a new version has replaced the page, and does not load without end', async () => {
  const page = await dashboard.open('/', missing);
  await live(page);
  // A deployment has other files: those of this page are gone.
  let loads = 0;
  page.on('domcontentloaded', () => loads++);
  await remove(page, 'conversations-page*');
  await page.route('**/sign-in', async (route) => {
    const html = await (await route.fetch()).text();
    const body = html.replace(/assets\/index-[\w-]+\.js/, 'assets/index-new.js');
    await route.fulfill({ body, contentType: 'text/html' });
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Conversations' }).click();
  await page.getByRole('heading', { name: 'A part of this page could not be loaded' }).waitFor();
  await page.getByText('The dashboard was updated').waitFor();
  expect(loads).toBe(1);
});
