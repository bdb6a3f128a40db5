import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openSession } from '../support/here.ts';
import { plainHost, sharedBrowser, watchPage } from '../support/page/browser.ts';
import { accessibilityProblems } from '../support/page.ts';
import { mailHere, publicUrl } from '../support/receivers.ts';

const own = mailHere();
const password = 'battery staple';
let page: Page;
let problems: readonly string[];

beforeAll(async () => {
  page = await (await sharedBrowser()).newPage({ viewport: { width: 375, height: 700 } });
  page.setDefaultTimeout(20_000);
  problems = watchPage(page, [400]);
  return () => page.close();
});

const newPassword = () => page.getByLabel('New password', { exact: true });

/** Opens the page of a link, on a plain-HTTP host that the browser does not trust. */
async function open(link: string): Promise<void> {
  const url = new URL(link.replace(publicUrl, own.service.url));
  url.hostname = plainHost;
  // Otherwise an address that differs in its token alone would not load the page.
  await page.goto('about:blank');
  await page.goto(url.href);
}

/** Takes the latest mail to that address and returns its link. */
async function linkOf(email: string): Promise<string> {
  return /https:\S+#\S+/.exec((await own.mailServer.take(email)).text)?.[0] ?? '';
}

/** Checks that the page fits a phone, and that nothing went wrong on it. */
async function expectSound(): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  // Requests of the dashboard end with its page.
  expect(problems.filter((problem) => !problem.endsWith('net::ERR_ABORTED'))).toEqual([]);
}

test('the page of an invitation creates the account, and signs in to it', async () => {
  await own.superadmin.client.call('invitations.create', { email: 'grace@example.com', role: 'user' });
  await open(await linkOf('grace@example.com'));
  await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe('grace@example.com');
  await page.getByLabel('Name').fill('Grace <b>');
  await newPassword().fill(password);
  await expectSound();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(new URL(page.url())).toMatchObject({ pathname: '/', hash: '' });
  await page.getByRole('button', { name: 'Grace <b>' }).waitFor();
});

test('it says what is wrong with a link that does not work, or is incomplete', async () => {
  await open(`${publicUrl}/invitation#token=wrong&email=grace%40example.com`);
  await newPassword().fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('This invitation is not valid');
  await open(`${publicUrl}/invitation#`);
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('This link is incomplete.');
  await expectSound();
});

test('the page for a new password asks for a link, and sets the password with it', async () => {
  const { email } = await own.service.signIn('user');
  await open(`${publicUrl}/reset-password`);
  await page.getByLabel('E-mail').fill(email);
  await expectSound();
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('a link is on its way').waitFor();

  await open(await linkOf(email));
  await newPassword().fill(password);
  await page.getByRole('button', { name: 'Show the password' }).click();
  await expect.poll(() => newPassword().getAttribute('type')).toBe('text');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your new password is set.').waitFor();
  await expectSound();
  await openSession(own.service.url, email, password);
});

test('the token of a link is sent to the service alone, and in no address', async () => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));
  await open(`${publicUrl}/reset-password#token=secret-token`);
  await newPassword().fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('alert').getByText('This link is not valid').waitFor();
  expect(addresses.some((address) => address.endsWith('/api/admin/password-reset/confirm'))).toBe(true);
  expect(addresses.filter((address) => address.includes('secret-token'))).toEqual([]);
  const response = await own.service.fetch('/reset-password');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await response.text()).not.toMatch(/<script>|style=|onclick/);
});
