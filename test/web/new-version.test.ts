import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { webHere } from '../support/page.ts';
import { live } from './steps.ts';

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
  const title = page.getByRole('dialog').getByLabel('Title');
  await title.fill('Half');
  await live(page);
  const reload = page.getByRole('button', { name: 'Reload', includeHidden: true });
  await remove(page, 'confirm-dialog-*');
  await page.keyboard.press('Escape');
  await page.getByText('A part of the page could not be loaded.').waitFor();
  await reload.waitFor();
  expect(await title.inputValue()).toBe('Half');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).waitFor();
  await page.keyboard.press('Escape');

  await page.unrouteAll({ behavior: 'wait' });
  await reload.dispatchEvent('click');
  await reload.waitFor({ state: 'detached' });
  await expect.poll(() => title.inputValue()).toBe('Half');
});

test('a page whose files another instance does not have yet tries again until it has them all', async () => {
  const page = await dashboard.open('/sign-in', { as: null, ...missing });
  await page.getByLabel('Email').waitFor();
  for (const files of ['index-*.js', 'index-*.css']) {
    await remove(page, files);
    await page.reload();
    await page.getByText('A new version is being started.').waitFor();
    expect(await page.getByLabel('Email').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByLabel('Email').waitFor();
  }
});
