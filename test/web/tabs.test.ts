import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { password } from '../support/here.ts';
import { plainHost } from '../support/page/browser.ts';
import { setHidden } from '../support/page/notices.ts';
import { webHere } from '../support/page.ts';
import { isSlowRun } from '../support/slow-run.ts';
import { choose, live, signIn, startConversation } from './steps.ts';

const dashboard = webHere();

/** Opens an address in another tab of the same browser. */
async function openTab(page: Page, url: string): Promise<Page> {
  const tab = await page.context().newPage();
  tab.setDefaultTimeout(20_000);
  const size = page.viewportSize();
  if (size !== null) await tab.setViewportSize(size);
  await tab.goto(url);
  return tab;
}

/** Counts the requests of a page, or of all tabs of a browser, for a path. */
function countRequests(from: Pick<Page, 'on'> | BrowserContext, path: string): () => number {
  let count = 0;
  (from as Page).on('request', (request) => {
    if (new URL(request.url()).pathname === path) count += 1;
  });
  return () => count;
}

const countStreams = (page: Page) => countRequests(page.context(), '/api/admin/events');
const listPath = '/api/admin/conversations';

/** Has the browser stop a page that one leaves for another site. */
const leave = (page: Page) =>
  page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
const comeBack = (page: Page) =>
  page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);

/** Resolves when a page has read what it was about to: lists are read again at most every two seconds. */
const settled = (page: Page) => page.waitForTimeout(2_500);

/** Has a visitor write, and resolves when all tabs have the conversation once. */
async function expectEvents(name: string, tabs: readonly Page[]): Promise<void> {
  await startConversation(dashboard.backoffice, name, 'Refund');
  await expectOnce(name, tabs);
}

async function expectOnce(name: string, tabs: readonly Page[]): Promise<void> {
  for (const tab of tabs) await expect.poll(() => tab.getByRole('link', { name }).count()).toBe(1);
}

test('many tabs share one stream: a reply in each arrives, and no event is lost when the tab that reads is loaded again or closed', async () => {
  // A browser opens six connections to a host, so that the seventh stream would leave none.
  const count = isSlowRun ? 10 : 7;
  const ids: string[] = [];
  for (let index = 0; index < count; index++)
    ids.push(await startConversation(dashboard.backoffice, `Karim ${index}`, 'Invoice', 'Where is it?'));
  const { url } = dashboard.backoffice.service;
  // All conversations are in view: a list that is scrolled only counts new ones.
  const page = await dashboard.open('/healthz', { viewport: { width: 1440, height: 1400 } });
  const streams = countStreams(page);
  await page.goto(`${url}/conversations?id=${ids[0]}`);
  const tabs = [page];
  for (const id of ids.slice(1)) tabs.push(await openTab(page, `${url}/conversations?id=${id}`));
  for (const tab of tabs) {
    const field = tab.getByRole('textbox', { name: 'Reply' });
    await field.fill('Here it is.');
    await field.press('Control+Enter');
  }
  for (const tab of tabs) {
    await live(tab);
    await expect.poll(() => tab.getByText(/^Sending|^Not /).count()).toBe(0);
    await expect.poll(() => tab.getByRole('log').getByText('Here it is.').count()).toBe(1);
  }
  expect(streams()).toBe(1);

  await Promise.all([page.reload(), startConversation(dashboard.backoffice, 'Lena', 'Refund')]);
  // Now the second tab reads.
  const [second] = tabs.splice(1, 1);
  await Promise.all([second?.close(), startConversation(dashboard.backoffice, 'Mia', 'Refund')]);
  for (const tab of tabs) await live(tab);
  await expectOnce('Lena', tabs);
  await expectOnce('Mia', tabs);
});

test('a reply that waits stays, whatever a tab that has not heard of it sends', async () => {
  const [waiting, sent] = await Promise.all(
    ['Waiting', 'Sent'].map((name) => startConversation(dashboard.backoffice, name, 'Invoice')),
  );
  const { url } = dashboard.backoffice.service;
  const first = await dashboard.open(`/conversations?id=${waiting}`, { expected: [503] });
  const second = await openTab(first, `${url}/conversations?id=${sent}`);
  const reply = async (tab: Page, text: string) => {
    const field = tab.getByRole('textbox', { name: 'Reply' });
    await field.fill(text);
    await field.press('Control+Enter');
  };
  await second.getByRole('textbox', { name: 'Reply' }).waitFor();
  // Browsers tell a tab a moment later what another one has stored.
  await second.evaluate(`{
    const stored = { ...localStorage };
    const { setItem, removeItem } = Storage.prototype;
    Storage.prototype.getItem = (key) => stored[key] ?? null;
    Storage.prototype.setItem = function (key, value) { stored[key] = value; setItem.call(this, key, value); };
    Storage.prototype.removeItem = function (key) { delete stored[key]; removeItem.call(this, key); };
  }`);
  await first.route('**/api/admin/messages', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { error: 'Wait a moment.' } })
      : route.fallback(),
  );
  await reply(first, 'Mine.');
  const log = first.getByRole('log');
  await log.getByText(/^Not sent yet/).waitFor();
  await reply(second, 'Yours.');
  await second.getByRole('log').getByText('Yours.').waitFor();
  await expect.poll(() => second.getByText(/^Sending|^Not /).count()).toBe(0);
  expect(await log.getByText('Mine.').count()).toBe(1);
  await first.unroute('**/api/admin/messages');
  // An earlier version kept all replies in one text.
  await first.evaluate(`{
    const key = Object.keys(localStorage).find((each) => each.includes('.outbox.'));
    localStorage.setItem(key.replace(/[.]outbox[.].*/, '.outbox'), '[' + localStorage.getItem(key) + ']');
    localStorage.removeItem(key);
  }`);
  await first.reload();
  await log.getByText('Mine.').waitFor();
  await expect.poll(() => log.getByText(/^Sending|^Not /).count()).toBe(0);
});

test('what is typed in a form stays, whatever another tab does with the same form', async () => {
  const admin = await dashboard.backoffice.service.signIn('admin');
  const page = await dashboard.open('/issues', { as: admin, expected: [401] });
  const other = await openTab(page, page.url());
  const text = (tab: Page) => tab.getByRole('textbox', { name: 'Description' });
  const report = async (tab: Page) => {
    await live(tab);
    await tab.keyboard.press('c');
    await text(tab).waitFor();
  };
  await report(page);
  await report(other);
  await text(other).fill('Of the other tab');
  await other.getByRole('textbox', { name: 'Title' }).fill('Of the other tab');
  await text(page).fill('Of this tab');
  await other.getByRole('textbox', { name: 'Title' }).press('Enter');
  await other.getByText(/^Issue \d+ reported/).waitFor();
  await page.reload();
  await expect.poll(() => text(page).inputValue()).toBe('Of this tab');

  await other.reload();
  await report(other);
  await expect.poll(() => text(other).inputValue()).toBe('Of this tab');
  await other.getByRole('button', { name: 'Cancel' }).click();
  await other.getByRole('button', { name: 'Discard' }).click();
  await text(other).waitFor({ state: 'detached' });
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
  await dashboard.backoffice.superadmin.client.call('sessions.revoke', { admin_id: admin.id });
  await signIn(page, admin.email);
  await expect.poll(() => text(page).inputValue()).toBe('Of this tab');
});

test('a tab that the browser stops leaves the stream to another one, and all of them learn that the session has ended', async () => {
  const admin = await dashboard.backoffice.service.signIn('admin');
  const other = await dashboard.backoffice.service.signIn('user');
  const first = await dashboard.open('/conversations', { as: admin, expected: [401] });
  await live(first);
  const second = await openTab(first, `${dashboard.backoffice.service.url}/conversations`);
  await live(second);

  // One has gone to another site, and comes back.
  await leave(first);
  await expectEvents('Nora', [second]);
  expect(await first.getByRole('link', { name: 'Nora' }).count()).toBe(0);
  await comeBack(first);
  await expectOnce('Nora', [first]);

  // One is frozen in the background.
  await second.evaluate('BroadcastChannel.prototype.postMessage = () => {}');
  await setHidden(second, true);
  await setHidden(first, false);
  await expectEvents('Olga', [first]);
  // A hidden list is read again once it is seen.
  await setHidden(second, false);
  await expectOnce('Olga', [second]);

  await choose(first, /^admin-/, 'Sign out');
  await signIn(first, other.email);
  await live(first);
  await second.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
});

test('when another admin signs in, a tab that is in view shows what that admin may see before one can act in it', async () => {
  const admin = await dashboard.backoffice.service.signIn('admin');
  const other = await dashboard.backoffice.service.signIn('user');
  const first = await dashboard.open('/conversations', { as: admin, expected: [401] });
  await first.getByRole('button', { name: /^admin-/ }).waitFor();
  // Without a sign-out, which ends the session of every tab.
  const second = await openTab(first, `${dashboard.backoffice.service.url}/sign-in`);
  const body = JSON.stringify({ email: other.email, password });
  await second.evaluate(
    `fetch('/api/admin/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${body}' })`,
  );
  await second.goto(`${dashboard.backoffice.service.url}/conversations`);
  await first.getByRole('button', { name: /^user-/ }).waitFor();
});

test('a tab that opens, sleeps or comes back reads its list again only if it has missed an event', async () => {
  const { url } = dashboard.backoffice.service;
  const first = await dashboard.open('/healthz');
  const readByFirst = countRequests(first, listPath);
  await first.goto(`${url}/conversations`);
  await live(first);
  const page = await openTab(first, 'about:blank');
  const read = countRequests(page, listPath);
  await page.goto(`${url}/conversations`);
  await live(page);
  await settled(page);
  expect(read()).toBe(readByFirst());

  // It hears of events while it is hidden, and so has missed none when it is seen.
  await setHidden(page, true);
  await expectEvents('Rosa', [first]);
  await setHidden(page, false);
  await expectOnce('Rosa', [page]);
  await settled(page);
  const before = read();
  await setHidden(page, true);
  await setHidden(page, false);
  await leave(page);
  await comeBack(page);
  await live(page);
  await settled(page);
  expect(read()).toBe(before);

  await leave(page);
  await expectEvents('Sami', [first]);
  await comeBack(page);
  await expectOnce('Sami', [page]);
  expect(read()).toBeGreaterThan(before);
});

test('without HTTPS, a hidden tab lets go of its stream, and catches up when it is seen', async () => {
  const page = await dashboard.open('/healthz', { as: null, expected: [503] });
  // The first connection fails, and is tried again.
  await page.route('**/api/admin/events*', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
  const streams = countStreams(page);
  const url = new URL(dashboard.backoffice.service.url);
  url.hostname = plainHost;
  const [name = '', value = ''] = dashboard.backoffice.superadmin.cookie.split('=', 2);
  await page.context().addCookies([{ name, value: decodeURIComponent(value), url: url.href }]);
  await page.goto(`${url.href}conversations`);
  await live(page);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/events'));
  await setHidden(page, true);
  await ended;
  await startConversation(dashboard.backoffice, 'Pia', 'Refund');
  expect(streams()).toBe(2);
  await setHidden(page, false);
  await expectOnce('Pia', [page]);
  expect(streams()).toBe(3);
});
