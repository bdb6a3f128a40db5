import type { Route } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { webHere } from '../support/page.ts';
import { type Receiver, respondWith, runJobsOf, startReceiver } from '../support/receivers.ts';
import { choose, dialog, live, row, submit } from './steps.ts';

const dashboard = webHere({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
let receiver: Receiver;

runJobsOf(dashboard.backoffice);
beforeEach(async () => {
  receiver = await startReceiver();
  await dashboard.backoffice.sql('truncate webhooks, webhook_deliveries');
});
afterEach(() => receiver.close());

const client = () => dashboard.backoffice.superadmin.client;
const webhooks = async () => (await client().call('webhooks.list')).webhooks;
const attempted = () =>
  dashboard.backoffice.sql('select from webhook_deliveries where last_attempt_at is not null');

test('a webhook is created, its secret shown once, tested, edited, given a new secret, stopped and deleted', async () => {
  const page = await dashboard.open('/webhooks', { expected: [400, 409] });
  await page.getByRole('heading', { name: 'There are no webhooks yet' }).waitFor();
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  await dialog(page).getByLabel('Description').fill('Team');
  await dialog(page).getByText('Only some').click();
  await dialog(page).getByRole('searchbox', { name: 'Search events' }).fill('issue');
  await dialog(page).getByRole('checkbox', { name: 'Issue', exact: true }).check();
  await submit(dialog(page), { Address: 'ftp://example.com' }, 'Create');
  await dialog(page).getByText('url must be an http or https URL').waitFor();
  await dialog(page).getByLabel('Send the texts too').check();
  await submit(dialog(page), { Address: receiver.url }, 'Create');
  const shown = dialog(page).getByRole('figure', { name: 'Secret' });
  const secret = await shown.getByText(/^whsec_/).textContent();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  const question = dialog(page, 'Close without a copy?');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  // The back button asks as well.
  await page.goBack();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await dialog(page).getByRole('button', { name: 'Copy secret' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  expect(await webhooks()).toMatchObject([
    {
      url: receiver.url,
      include_content: true,
      events: ['issue.created', 'issue.updated', 'issues.updated', 'issues.deleted'],
    },
  ]);

  const menu = 'Actions for Team';
  receiver.respond = (response) => response.writeHead(418).end('I am a teapot');
  await choose(page, menu, 'Send a test message');
  await dialog(page).getByText('I am a teapot').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).click();

  await choose(page, menu, 'Edit');
  await dialog(page).getByLabel('Description').fill('Chat');
  await dialog(page).getByLabel('Send the texts too').uncheck();
  // A colleague changes another field too, which the form does not take back, and no other error lets it through.
  const [{ id = 0 } = {}] = await webhooks();
  await submit(dialog(page), { Address: 'ftp://example.com' }, 'Save');
  await dialog(page).getByText('url must be an http or https URL').waitFor();
  await client().call('webhooks.update', { id, description: 'Their chat', events: ['issue.created'] });
  // It moves the button that saves.
  await dialog(page).getByRole('note').filter({ hasText: 'Their chat' }).waitFor();
  await submit(dialog(page), { Address: receiver.url }, 'Save');
  await dialog(page).getByText('Changed meanwhile: description is now Their chat.').waitFor();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Webhook saved.').waitFor();
  const [saved] = await webhooks();
  expect(saved).toMatchObject({ description: 'Chat', events: ['issue.created'] });
  expect(saved).not.toHaveProperty('include_content');

  await choose(page, 'Actions for Chat', 'New secret');
  await dialog(page).getByRole('button', { name: 'Create a new secret' }).click();
  // The question before it may not have left yet.
  const renewed = dialog(page).filter({ has: page.getByRole('figure', { name: 'Secret' }) });
  expect(await renewed.getByText(/^whsec_/).textContent()).not.toBe(secret);
  await renewed.getByRole('button', { name: 'Close', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Close without a copy' }).click();

  await choose(page, 'Actions for Chat', 'Deactivate');
  await dialog(page).getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('row').getByText('Inactive').waitFor();

  await choose(page, 'Actions for Chat', 'Delete');
  await dialog(page).getByText('Delete the webhook Chat?').waitFor();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'There are no webhooks yet' }).waitFor();
  expect(await webhooks()).toEqual([]);
  // Links to its dialogs say that it is gone.
  for (const kind of ['edit', 'failed']) {
    await page.goto(`${dashboard.backoffice.service.url}/webhooks?dialog=${kind}-${id}`);
    await dialog(page).getByText('There is no such webhook').waitFor();
  }
});

test('a test message says that its webhook was deleted meanwhile', async () => {
  await client().call('webhooks.create', { url: receiver.url, description: 'Team' });
  const page = await dashboard.open('/webhooks');
  await page.getByLabel('Actions for Team').waitFor();
  // Without an event, as if it were on its way.
  await dashboard.backoffice.sql('delete from webhooks');
  await choose(page, 'Actions for Team', 'Send a test message');
  await page.getByText('The webhook was deleted meanwhile.').waitFor();
});

test('a webhook and a token are there once, although one creates them again because nobody answered', async () => {
  const page = await dashboard.open('/webhooks?dialog=new', { expected: [500] });
  const lose = async (path: string) => {
    const answer = async (route: Route) => {
      if (route.request().method() !== 'POST') return await route.fallback();
      await route.fetch();
      await route.fulfill({ status: 500, json: { error: 'Lost.' } });
    };
    await page.route(path, answer);
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
    await dialog(page).getByText('Lost.').waitFor();
    await page.unroute(path, answer);
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Copy secret' }).click();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
  };
  await dialog(page).getByLabel('Address').fill(receiver.url);
  await lose('**/api/admin/webhooks');
  expect(await webhooks()).toHaveLength(1);
  await page.goto(`${dashboard.backoffice.service.url}/tokens?dialog=new`);
  await dialog(page).getByLabel('Name').fill('twice');
  await lose('**/api/admin/tokens');
  const { tokens } = await client().call('tokens.list', { q: 'twice' });
  expect(tokens).toHaveLength(1);
});

test('what is typed into the form of a webhook stays if somebody deletes the webhook', async () => {
  const { webhook } = await client().call('webhooks.create', { url: receiver.url, description: 'Chat' });
  const page = await dashboard.open(`/webhooks?dialog=edit-${webhook.id}`, { expected: [404, 409] });
  await live(page);
  await dialog(page).getByLabel('Description').fill('Our chat');
  await client().call('webhooks.delete', { id: webhook.id });
  await row(page, 'Chat').waitFor({ state: 'detached' });
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).getByRole('alert').waitFor();
  expect(await dialog(page).getByLabel('Description').inputValue()).toBe('Our chat');
});

test('deliveries are filtered, shown with request and response, and sent again, one or all that failed', async () => {
  const hook = { url: receiver.url, description: 'Chat', events: ['issue.created' as const] };
  const { webhook } = await client().call('webhooks.create', hook);
  receiver.respond = respondWith(500);
  await client().call('issues.create', { title: 'Never arrives' });
  await expect.poll(() => attempted()).toHaveLength(1);
  // It would be tried again in a while. Of three others nothing more comes either.
  await dashboard.backoffice.sql(`update webhook_deliveries set status = 'failed', next_attempt_at = null`);
  await dashboard.backoffice.sql(
    `insert into webhook_deliveries (webhook_id, message_id, type, payload, status, attempts, next_attempt_at, error)
     select $1, 'evt_90000' || n, 'issue.updated', '{}', 'failed', 1, null, 'Lost' from generate_series(1, 3) n`,
    [webhook.id],
  );
  const page = await dashboard.open(`/webhooks?webhook=${webhook.id}`);
  await expect.poll(() => row(page, 'Issue updated').count()).toBe(3);
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Event', exact: true }).click();
  await page.getByLabel('Search event').fill('issue created');
  await page.getByRole('option', { name: 'Issue created', exact: true }).click();
  await row(page, 'Issue created').getByText('Failed').waitFor();
  await expect.poll(() => row(page, 'Issue updated').count()).toBe(0);
  await page.keyboard.press('Escape');

  await row(page, 'Issue created').getByRole('link').click();
  await dialog(page).getByText('"title": "Never arrives"').waitFor();
  await dialog(page).getByText('500', { exact: true }).waitFor();
  receiver.respond = respondWith(204);
  const before = receiver.arrivals.length;
  await dialog(page).getByRole('button', { name: 'Send again' }).click();
  await receiver.until(before + 1);
  await page.goto(`${dashboard.backoffice.service.url}/webhooks?webhook=${webhook.id}`);
  await row(page, 'again').getByText('Succeeded').waitFor();

  await choose(page, 'Actions for Chat', 'Send failed messages again');
  const sent = receiver.arrivals.length;
  await dialog(page).getByRole('button', { name: 'Send again' }).click();
  await page.getByText('3 messages are being sent again.').waitFor();
  await receiver.until(sent + 3);
  await choose(page, 'Actions for Chat', 'Send failed messages again');
  await dialog(page).getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Nothing to resend: every message from that period was delivered.').waitFor();
});

test('a token is created with no more than its owner may, used, warned of, and revoked', async () => {
  const admin = await dashboard.backoffice.service.signIn('admin');
  const page = await dashboard.open('/tokens', { as: admin, expected: [400] });
  await page.getByRole('heading', { name: 'There are no tokens yet' }).waitFor();
  await page.getByRole('button', { name: 'Create a token' }).first().click();
  await dialog(page).getByLabel('Name').fill('nightly report');
  await dialog(page).getByRole('combobox', { name: 'Role' }).click();
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Admin', 'User']);
  await page.getByRole('option', { name: 'Admin', exact: true }).click();
  await dialog(page).getByRole('combobox', { name: 'Expires after' }).click();
  await page.getByRole('option', { name: '7 days' }).click();
  await dialog(page).getByLabel('Read only').check();
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  const secret = await dialog(page).getByRole('figure', { name: 'Secret' }).getByText(/^bo_/).textContent();
  await dialog(page).getByRole('button', { name: 'Copy command for curl' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  const token = row(page, 'nightly report');
  await token.getByText(/^Expires (in 7 days|next week)$/).waitFor();
  const answer = await dashboard.backoffice.service.fetch('/api/admin/session', {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(await answer.json()).toMatchObject({ admin: { id: admin.id } });

  // One for a website, which reads nothing.
  await page.getByRole('button', { name: 'Create a token' }).first().click();
  await dialog(page).getByLabel('Name').fill('website');
  const onlySends = dialog(page).getByLabel('Only sends data in');
  await onlySends.check();
  await dialog(page).getByLabel('Read only').check();
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  await dialog(page).getByText('A token that only sends data in cannot be read_only.').waitFor();
  await dialog(page).getByLabel('Read only').uncheck();
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  const intake = await dialog(page).getByRole('figure', { name: 'Secret' }).getByText(/^bo_/).textContent();
  await dialog(page).getByRole('link', { name: 'Connect your website' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Copy secret' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await row(page, 'website').getByText('Only sends in').waitFor();
  const refused = await dashboard.backoffice.service.fetch('/api/admin/session', {
    headers: { authorization: `Bearer ${intake}` },
  });
  expect(await refused.json()).toEqual({ error: 'This token may only send data in.' });

  // Superadmins see it, and that it ends.
  const watcher = await dashboard.open('/tokens');
  const seen = row(watcher, 'nightly report');
  await seen.getByText(admin.email).waitFor();
  await live(watcher);
  await choose(page, 'Actions for nightly report', 'Revoke');
  await dialog(page).getByRole('button', { name: 'Revoke' }).click();
  await token.waitFor({ state: 'detached' });
  await seen.waitFor({ state: 'detached' });
  await page.getByRole('radiogroup', { name: 'Which tokens' }).getByText('Ended').click();
  await token.getByText(/^Revoked/).waitFor();
});
