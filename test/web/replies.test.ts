import { pino } from 'pino';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { keepReadingMailbox } from '../../src/jobs/mailbox.ts';
import { sendQueuedReply } from '../../src/services/mail/replies.ts';
import { createSmtpClient } from '../../src/services/mail/smtp.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { startMailServer } from '../support/receivers/mail.ts';
import { startMailbox } from '../support/receivers/mailbox.ts';
import { writeMail } from '../support/receivers/mails.ts';
import { beforeAnswer, choose, fail, live, signIn, startConversation, undo } from './steps.ts';

/** Nothing sends the mails of the queue until a test does. */
const dashboard = webHere({ SMTP_URL: 'smtp://127.0.0.1:9' });
let id: string;

beforeEach(async () => {
  id = await startConversation(dashboard.backoffice, 'Karim', 'Invoice', 'Where is it?');
  // Otherwise a page that marks it as read loads it again in the middle of a test.
  await dashboard.backoffice.superadmin.client.call('conversations.read', { id });
});

async function contents() {
  const written = 'select content from conversation_messages where conversation_id = $1 order by id';
  return (await dashboard.backoffice.sql(written, [id])).map(({ content }) => content);
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Reply' });
const log = (page: Page) => page.getByRole('log');
const unsent = (page: Page) => log(page).getByText(/^Not sent|^Not confirmed|^Sending/);

async function reply(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press('Control+Enter');
}

/** Has the service save what a page sends, and the page read that it failed. */
async function loseAnswers(page: Page): Promise<void> {
  await page.route('**/api/admin/messages', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { error: 'Lost.' } });
  });
}

/** Opens the conversation, or another page, in another tab of the same browser. */
async function openTab(context: BrowserContext, path = `/conversations?id=${id}`): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${dashboard.backoffice.service.url}${path}`);
  return page;
}

test('a reply shows live what becomes of its mail, and one whose mail has failed is sent again', async () => {
  const { call } = dashboard.backoffice.superadmin.client;
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.close());
  mailServer.refuse = () => 550;
  const page = await dashboard.open(`/conversations?id=${id}`);
  await live(page);
  const note = page.getByText('Visitors get no e-mail: the setting visitor_mail is off.');
  expect(await note.getByRole('link', { name: 'Settings' }).getAttribute('href')).toContain('visitor_mail');
  await call('settings.update', { key: 'visitor_mail', value: 'on' });
  onTestFinished(async () => void (await call('settings.update', { key: 'visitor_mail', value: '' })));
  await expect.poll(() => note.count()).toBe(0);
  await reply(page, 'It is in your inbox.');
  const delivery = log(page).getByRole('status');
  await delivery.getByText('e-mail queued').waitFor();

  const { services } = dashboard.backoffice.service;
  const smtp = createSmtpClient(mailServer.url, { name: undefined, address: 'desk@example.com' });
  const { messages } = await call('messages.list', { conversation_id: id });
  const send = () => sendQueuedReply(services, smtp, messages.at(-1)?.id ?? 0, { isLast: false });
  await send();
  await delivery.getByText('e-mail failed').waitFor();
  await delivery.getByText('It answered: 550 refused').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send again' }).click();
  await delivery.getByText('e-mail queued').waitFor();
  mailServer.refuse = () => undefined;
  await send();
  await delivery.getByText('e-mailed').waitFor();
  expect(mailServer.mails).toHaveLength(1);
});

test('a mail that arrives at the mailbox is on the page of the team, with its files, in both themes', async () => {
  const page = await dashboard.open('/conversations');
  await live(page);
  const mailbox = await startMailbox();
  const stop = new AbortController();
  const { services } = dashboard.backoffice.service;
  const reading = keepReadingMailbox({ services, log: pino({ level: 'silent' }) }, mailbox.url, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await reading;
    await mailbox.close();
  });
  const health = () => dashboard.backoffice.sql('select from mailboxes where read_at is not null');
  await expect.poll(health).toHaveLength(1);
  const start = performance.now();
  mailbox.append(
    writeMail({
      headers: [
        ...['From: Lise <lise@example.com>', 'Subject: A broken page', 'Message-ID: <lise@x.example>'],
        'Content-Type: multipart/mixed; boundary=b',
      ],
      body:
        '--b\nContent-Type: text/plain\n\nSee the picture.\n\nOn Monday Bob <bob@example.org> wrote:\n> the old text\n' +
        '--b\nContent-Type: image/png; name=page.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n' +
        '--b\nContent-Type: text/csv; name="a long name of a list of what was broken.csv"\n\nx\n--b--',
    }),
  );
  await page.getByRole('link', { name: /Lise/ }).waitFor();
  console.info(`on the screen ${Math.round(performance.now() - start)} ms after its arrival`);
  await page.getByRole('link', { name: /Lise/ }).click();
  await log(page).getByText('page.png').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme'))
      .toBe(colorScheme);
    expect(await accessibilityProblems(page)).toEqual([]);
  }
});

test('a reply is there once if its answer is lost, also for a page loaded since, and if its event comes before its answer', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`, { expected: [500] });
  await loseAnswers(page);
  await reply(page, 'Here it is.');
  await page.getByText('Not sent. Lost.').waitFor();
  await page.unroute('**/api/admin/messages');
  await page.reload();
  await expect.poll(() => log(page).getByText('Here it is.').count()).toBe(2);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => unsent(page).count()).toBe(0);
  expect(await contents()).toEqual(['Where is it?', 'Here it is.']);

  await live(page);
  const seen = Promise.withResolvers<void>();
  await beforeAnswer(page, '**/api/admin/messages', () => seen.promise);
  await reply(page, 'Only once.');
  await expect.poll(contents).toEqual(['Where is it?', 'Here it is.', 'Only once.']);
  await expect.poll(() => unsent(page).count()).toBe(0);
  expect(await log(page).getByText('Only once.').count()).toBe(1);
  seen.resolve();
  await expect.poll(() => page.getByRole('link', { name: /Karim.*Reply not sent/ }).count()).toBe(0);
  expect(await log(page).getByText('Only once.').count()).toBe(1);
});

test('replies that are written without a network are sent in their order once there is one', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`, { isCutOff: true });
  await live(page);
  // Parts of the page that are not there yet could not be loaded.
  const isQuiet = `performance.getEntriesByType('resource').every(({ responseEnd }) => responseEnd < performance.now() - 500)`;
  await expect.poll(() => page.evaluate(isQuiet)).toBe(true);
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await reply(page, 'First.');
  await reply(page, 'Second.');
  const waiting = log(page).getByText(/^Not sent yet\. The service cannot be reached/);
  await expect.poll(() => waiting.count()).toBe(2);
  await page.getByRole('link', { name: /Karim.*Reply not sent/ }).waitFor();
  expect(await contents()).toEqual(['Where is it?']);
  await page.context().setOffline(false);
  await expect.poll(contents).toEqual(['Where is it?', 'First.', 'Second.']);
  await expect.poll(() => unsent(page).count()).toBe(0);
});

test('a reply whose tab is closed is sent by the next one on any page, and a draft is still there', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`);
  await log(page).getByText('Where is it?').waitFor();
  const sent = Promise.withResolvers<void>();
  await page.route('**/api/admin/messages', () => sent.resolve());
  await reply(page, 'On its way.');
  await field(page).fill('Half a sen');
  await sent.promise;
  const context = page.context();
  const next = await openTab(context, '/tokens');
  await live(next);
  expect(await contents()).toEqual(['Where is it?']);
  await page.close();
  await expect.poll(contents).toEqual(['Where is it?', 'On its way.']);
  await next.goto(`${dashboard.backoffice.service.url}/conversations?id=${id}`);
  await log(next).getByText('On its way.').waitFor();
  await expect.poll(() => unsent(next).count()).toBe(0);
  await expect.poll(() => field(next).inputValue()).toBe('Half a sen');
});

test('a draft and a reply that was not sent take turns in the field, and neither is lost', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`, { expected: [500] });
  await fail(page, '**/api/admin/messages', 'Failed to save the message.');
  await reply(page, 'Not sent.');
  await field(page).fill('Half a sen');
  await log(page).getByRole('button', { name: 'Edit' }).click();
  await expect.poll(() => field(page).inputValue()).toBe('Not sent.');
  await field(page).fill('Not sent yet.');
  await undo(page, 'Your draft was replaced.');
  await expect.poll(() => field(page).inputValue()).toBe('Half a sen');
  await page.getByText('Undone.').waitFor();
  await undo(page, 'Your draft was replaced.');
  await expect.poll(() => field(page).inputValue()).toBe('Not sent yet.');
});

test('a page asks before it is closed if the browser does not keep what is typed in it', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`);
  await field(page).waitFor();
  await page.evaluate(`Storage.prototype.setItem = () => { throw new Error('It is full.'); }`);
  await field(page).fill('Half a sen');
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
  expect(await field(page).inputValue()).toBe('Half a sen');
  await field(page).fill('');
  await page.reload();
  await field(page).waitFor();
});

test('two tabs have the same draft', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`);
  const other = await openTab(page.context());
  await field(other).waitFor();
  await field(page).fill('Half a sen');
  await expect.poll(() => field(other).inputValue()).toBe('Half a sen');
  await field(other).press('Control+Enter');
  await expect.poll(() => field(page).inputValue()).toBe('');
});

test('a reply that meets a restart of the service is sent by itself when it is back', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`, { expected: [503] });
  await live(page);
  await page.route('**/api/admin/messages', (route) => route.fulfill({ status: 503, body: '' }));
  await reply(page, 'Across the restart.');
  await log(page)
    .getByText(/^Not sent yet/)
    .waitFor();
  await page.unroute('**/api/admin/messages');
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await expect.poll(contents).toEqual(['Where is it?', 'Across the restart.']);
  await expect.poll(() => unsent(page).count()).toBe(0);
});

test('a session that ends in the middle of a reply loses neither it nor the draft', async () => {
  const admin = await dashboard.backoffice.service.signIn('admin');
  const page = await dashboard.open(`/conversations?id=${id}`, { as: admin, expected: [401] });
  await log(page).getByText('Where is it?').waitFor();
  const written = Promise.withResolvers<void>();
  await page.route('**/api/admin/messages', async (route) => {
    await written.promise;
    await dashboard.backoffice.superadmin.client.call('sessions.revoke', { admin_id: admin.id });
    await route.continue();
  });
  await reply(page, 'Sent too late.');
  await field(page).fill('Still here.');
  written.resolve();
  await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
  await page.unroute('**/api/admin/messages');
  await signIn(page, admin.email);
  await log(page).getByText('Sent too late.', { exact: true }).waitFor();
  await expect.poll(contents).toEqual(['Where is it?', 'Sent too late.']);
  await expect.poll(() => unsent(page).count()).toBe(0);
  await expect.poll(() => field(page).inputValue()).toBe('Still here.');
});

test('what one admin has written is neither shown to nor sent by the next one who signs in', async () => {
  const one = await dashboard.backoffice.service.signIn('admin');
  const other = await dashboard.backoffice.service.signIn('user');
  const page = await dashboard.open(`/conversations?id=${id}`, { as: one, expected: [401, 500] });
  await fail(page, '**/api/admin/messages', 'Failed to save the message.');
  await reply(page, 'Not sent by one.');
  await page.getByText('Not sent. Failed to save the message.').waitFor();
  await page.unroute('**/api/admin/messages');
  await field(page).fill('Draft of one');
  const switchTo = async (email: string) => {
    await choose(page, /^(admin|user)-/, 'Sign out');
    await signIn(page, email);
    await live(page);
    await page.goto(`${dashboard.backoffice.service.url}/conversations?id=${id}`);
    await log(page).getByText('Where is it?').waitFor();
  };
  await switchTo(other.email);
  expect(await field(page).inputValue()).toBe('');
  expect(await page.getByText('Not sent by one.').count()).toBe(0);
  await switchTo(one.email);
  await expect.poll(() => field(page).inputValue()).toBe('Draft of one');
  await log(page).getByText('Not sent by one.').waitFor();
  expect(await contents()).toEqual(['Where is it?']);
});

test('a proposed reply is sent as it was seen, and not if a colleague has changed it', async () => {
  const change = 'update conversation_messages set ai_draft = $2 where conversation_id = $1';
  const propose = (text: string) => dashboard.backoffice.sql(change, [id, text]);
  await propose('It is in your inbox.');
  const page = await dashboard.open(`/conversations?id=${id}`, { expected: [409] });
  const proposed = page.getByRole('region', { name: 'Proposed reply' });
  await proposed.getByText('It is in your inbox.').waitFor();
  await propose('Changed');
  await proposed.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Changed meanwhile: ai_draft is now Changed.').waitFor();
  await proposed.getByText('Changed', { exact: true }).waitFor();
  expect(await contents()).toEqual(['Where is it?']);
  await proposed.getByRole('button', { name: 'Reject' }).click();
  await expect.poll(() => proposed.count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await proposed.getByRole('button', { name: 'Send' }).click();
  await expect.poll(contents).toEqual(['Where is it?', 'Changed']);
});

test('an edited proposal takes its place, and is kept if a colleague was faster', async () => {
  const { client } = dashboard.backoffice.superadmin;
  const [asked] = (await client.call('messages.list', { conversation_id: id })).messages;
  const message = Number(asked?.id);
  await client.call('messages.updateDraft', { id: message, ai_draft: 'It is in your inbox.' });
  const page = await dashboard.open(`/conversations?id=${id}`, { expected: [409] });
  const edit = page.getByRole('region', { name: 'Proposed reply' }).getByRole('button', { name: 'Edit' });
  await edit.click();
  await expect.poll(() => field(page).inputValue()).toBe('It is in your inbox.');
  await reply(page, 'It is in your inbox now.');
  await expect.poll(contents).toEqual(['Where is it?', 'It is in your inbox now.']);
  const [, sent] = (await client.call('messages.list', { conversation_id: id })).messages;
  expect(sent?.from_draft_of).toBe(message);

  const second = await client.call('messages.create', {
    conversation_id: id,
    content: 'And the other?',
    sender_type: 'visitor',
  });
  await client.call('messages.updateDraft', { id: second.id, ai_draft: 'Coming.' });
  await edit.click();
  await client.call('messages.updateDraft', { id: second.id, ai_draft: 'Coming soon.' });
  await reply(page, 'Coming tomorrow.');
  await page.getByText('Not sent. Changed meanwhile: ai_draft is now Coming soon.').waitFor();
  await page.getByRole('button', { name: 'Send my text' }).click();
  await expect.poll(async () => (await contents()).at(-1)).toBe('Coming tomorrow.');
});

test('a deleted conversation leaves what one was writing on the screen', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`);
  await field(page).fill('A long answer');
  await live(page);
  await dashboard.backoffice.superadmin.client.call('conversations.delete', { id });
  await page.getByRole('heading', { name: 'There is no such conversation' }).waitFor();
  const kept = page.getByLabel('Your reply, which was not sent');
  await expect.poll(() => kept.inputValue()).toBe('A long answer');
});
