import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { dashboardOfThisFile } from '../support/web/dashboard.ts';

const dashboard = dashboardOfThisFile();
let id: string;

beforeEach(async () => {
  const { client } = dashboard.backoffice.superadmin;
  const answer = await client.call('conversations.create', {
    visitor_email: 'karim@example.com',
    visitor_name: 'Karim',
    subject: 'Invoice',
    initial_message: 'Where is it?',
  });
  id = answer.conversation.id;
});

const contents = async () =>
  (
    await dashboard.backoffice.sql(
      'select content from conversation_messages where conversation_id = $1 order by id',
      [id],
    )
  ).map(({ content }) => content);

async function reply(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reply' }).fill(text);
  await page.keyboard.press('Control+Enter');
}

const inLog = (page: Page, text: string) => page.getByRole('log').getByText(text, { exact: true });

test('a message of the visitor is on the screen within a second, counted in the title, and read', async () => {
  const page = await dashboard.open('/');
  await page.getByRole('status').getByText('Live').waitFor();
  const { client } = dashboard.backoffice.superadmin;
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) Overview/);
  await page.goto(`${dashboard.backoffice.service.url}/conversations?id=${id}`);
  await inLog(page, 'Where is it?').waitFor();
  await page.getByRole('status').getByText('Live').waitFor();
  await client.call('messages.create', { conversation_id: id, content: 'Anybody?', sender_type: 'visitor' });
  await inLog(page, 'Anybody?').waitFor({ timeout: 1_000 });
  await expect
    .poll(() =>
      dashboard.backoffice.sql(
        `select from conversation_messages where conversation_id = $1 and sender_type = 'visitor' and status = 'sent'`,
        [id],
      ),
    )
    .toHaveLength(0);
});

test('a reply survives a service that fails, and is there once', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`, { expected: [500] });
  await page.route('**/api/admin/messages', (route) =>
    route.fulfill({ status: 500, json: { error: 'Failed to save the message.' } }),
  );
  await reply(page, 'Here it is.');
  await page.getByText('Not sent. Failed to save the message.').waitFor();
  await page.unroute('**/api/admin/messages');
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).click();
  await inLog(page, 'Here it is.').waitFor();
  await expect.poll(contents).toEqual(['Where is it?', 'Here it is.']);
  await expect.poll(() => page.getByText(/^Not sent|^Sending/).count()).toBe(0);
});

test('a reply whose answer was lost is there once after another try', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`, { expected: [500] });
  await page.route('**/api/admin/messages', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { error: 'Lost.' } });
  });
  await reply(page, 'Only once.');
  await page.getByText('Not sent. Lost.').waitFor();
  await page.unroute('**/api/admin/messages');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.getByText(/^Not sent|^Sending/).count()).toBe(0);
  expect(await contents()).toEqual(['Where is it?', 'Only once.']);
});

test('a reply is kept without a network, and a draft over a closed tab', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`);
  await inLog(page, 'Where is it?').waitFor();
  await page.getByRole('textbox', { name: 'Reply' }).fill('Half a sen');
  await page.reload();
  expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('Half a sen');
});

test('a session that ends in the middle of a reply does not lose it', async () => {
  const admin = await dashboard.backoffice.service.signIn('admin');
  const page = await dashboard.open(`/conversations?id=${id}`, { as: admin, expected: [401] });
  await inLog(page, 'Where is it?').waitFor();
  await page.getByRole('textbox', { name: 'Reply' }).fill('Still here.');
  await dashboard.backoffice.superadmin.client.call('sessions.revoke', { admin_id: admin.id });
  await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
  await page.getByLabel('Email').fill(admin.email);
  await page
    .getByLabel('Password', { exact: true })
    .fill((await import('../support/http/service.ts')).password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await inLog(page, 'Where is it?').waitFor();
  expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('Still here.');
});

test('a proposed reply is sent as it was seen, and not if a colleague has changed it', async () => {
  await dashboard.backoffice.sql(
    `update conversation_messages set ai_draft = 'It is in your inbox.' where conversation_id = $1`,
    [id],
  );
  // Otherwise the page marks it as read, and then loads it again with the change of the colleague.
  await dashboard.backoffice.superadmin.client.call('conversations.read', { id });
  const page = await dashboard.open(`/conversations?id=${id}`, { expected: [409] });
  const proposed = page.getByRole('region', { name: 'Proposed reply' });
  await proposed.getByText('It is in your inbox.').waitFor();
  await dashboard.backoffice.sql(
    `update conversation_messages set ai_draft = 'Changed' where conversation_id = $1`,
    [id],
  );
  await proposed.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Changed meanwhile: ai_draft is now Changed.').waitFor();
  await proposed.getByText('Changed', { exact: true }).waitFor();
  expect(await contents()).toEqual(['Where is it?']);
  await proposed.getByRole('button', { name: 'Send' }).click();
  await expect.poll(contents).toEqual(['Where is it?', 'Changed']);
});
