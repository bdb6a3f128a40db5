import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connectCards, withAddress } from '../../src/contract/connect.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { listenOnLoopback } from '../support/receivers/listen.ts';
import { live } from './steps.ts';

const { backoffice, open } = webHere();

const cardOf = (page: Page, title: string) =>
  page.getByRole('group').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const sampleOf = (page: Page, title: string) => cardOf(page, title).getByRole('figure').locator('code');
const isOpen = (page: Page, title: string) =>
  cardOf(page, title).evaluate((card: { open?: boolean }) => card.open);

test('every empty page and the palette lead to the page', async () => {
  const page = await open('/');
  for (const [path, title] of [
    ['/', 'Overview'],
    ['/issues?view=all', 'No issues yet'],
    ['/issues', 'No unresolved issues'],
    ['/conversations', 'Conversations'],
    ['/usage', 'Usage'],
    ['/scraping', 'Scraping'],
    ['/scraping?view=runs', 'No runs in this month'],
  ] as const) {
    // As a link does, without loading the page again.
    await page.evaluate(`history.pushState(null, '', '${path}')`);
    await page.getByRole('heading', { name: title, exact: true }).first().waitFor();
    const link = page.getByRole('main').getByRole('link', { name: 'Connect your website' }).first();
    expect(await link.getAttribute('href'), path).toBe('/connect');
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('connect your website');
  await page.getByRole('option', { name: 'Connect your website' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connect your website', level: 1 }).waitFor();
});

test('a sample that is pasted with the token made here turns its light green, and folds its card', async () => {
  const page = await open('/connect');
  await live(page);
  expect(await sampleOf(page, 'Issues').textContent()).toContain('Bearer TOKEN');
  expect(await accessibilityProblems(page)).toEqual([]);
  await cardOf(page, 'Issues').getByRole('button', { name: 'Create a token' }).click();
  await page.getByText('The sample has your new token').first().waitFor();
  for (const title of ['Issues', 'Model usage'])
    expect(await sampleOf(page, title).textContent()).toMatch(/Bearer bo_/);
  const [token] = (await backoffice.superadmin.client.call('tokens.list', {})).tokens;
  expect(token).toMatchObject({ name: 'website', scope: 'intake' });
  // Nobody can see the token again.
  await cardOf(page, 'Issues').getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('dialog', { name: 'Leave without the token?' }).getByText('Cancel').click();

  await cardOf(page, 'Model usage').getByText('Node', { exact: true }).click();
  expect(await sampleOf(page, 'Model usage').textContent()).toMatch(/^node /);
  expect(await isOpen(page, 'Issues')).toBe(true);
  const command = (await sampleOf(page, 'Issues').textContent()) ?? '';
  await promisify(execFile)('sh', ['-ec', command]);
  await cardOf(page, 'Issues').getByText('Connected', { exact: true }).waitFor();
  await expect.poll(() => isOpen(page, 'Issues')).toBe(false);
  expect(await isOpen(page, 'Model usage')).toBe(true);
  // It opens again, for the next website.
  await cardOf(page, 'Issues').getByRole('heading').click();
  await expect.poll(() => isOpen(page, 'Issues')).toBe(true);
  const mail = cardOf(page, 'Visitors, by mail');
  await mail.getByText('set IMAP_URL').waitFor();
  await backoffice.sql(`insert into mailboxes (name, read_at) values ('support at localhost', now())`);
  await backoffice.superadmin.client.call('settings.update', { key: 'site_name', value: 'Shop' });
  await mail.getByText('The service reads the mailbox').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('the contact page is switched on here, and its form works on another website', async () => {
  const page = await open('/connect');
  await live(page);
  const title = 'Visitors, by contact page';
  await page.getByRole('button', { name: 'Switch the contact page on' }).click();
  await page.getByRole('button', { name: 'Switch the contact page on' }).waitFor({ state: 'detached' });
  expect((await backoffice.service.fetch('/contact')).status).toBe(200);
  const { url } = backoffice.service;
  expect(await cardOf(page, title).getByRole('link', { name: url }).getAttribute('href')).toBe(
    `${url}/contact`,
  );

  const { Form = '', Frame = '' } = connectCards.contact.markup ?? {};
  const html = withAddress(
    `<!doctype html><title>Shop</title><link rel="icon" href="data:,">${Form}${Frame}`,
    backoffice.service.url,
  );
  const shop = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end(html));
  const origin = `http://127.0.0.1:${await listenOnLoopback(shop)}`;
  onTestFinished(() => void shop.close());
  await cardOf(page, title).getByRole('link', { name: 'contact_origins' }).click();
  await page.getByRole('textbox', { name: 'Websites with the form' }).fill(origin);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('textbox', { name: 'Websites with the form' }).waitFor({ state: 'detached' });
  await page.goBack();
  const visitor = await open('/contact', { as: null });
  await visitor.goto(origin);
  await visitor.frameLocator('iframe').getByRole('button', { name: 'Send' }).waitFor();
  await visitor.getByLabel('Name', { exact: true }).fill('Ada');
  await visitor.getByLabel('E-mail', { exact: true }).fill('ada@example.com');
  await visitor.getByLabel('Message', { exact: true }).fill('Hello');
  await visitor.locator('#contact').getByRole('button', { name: 'Send' }).click();
  await visitor.getByText('Your message has arrived.').waitFor();
  await cardOf(page, title).getByText('Connected', { exact: true }).waitFor();
  await expect.poll(() => isOpen(page, title)).toBe(false);
});
