import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { svg } from '../support/here/rows.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { choose, dialog, expectReason, fail, live, save, signIn, submit, undo } from './steps.ts';

const dashboard = webHere();

beforeEach(async () => {
  await dashboard.backoffice.sql('truncate settings');
  await write({
    motto: 'Be kind',
    support_email: 'help@example.com',
    limits: '{"upload":{"mb":25}}',
    timezone: 'UTC',
  });
});

async function write(updates: Record<string, string>, secret: string[] = []): Promise<void> {
  await dashboard.backoffice.superadmin.client.call('settings.update', { updates, secret });
}

async function stored(): Promise<Record<string, string>> {
  const { client } = dashboard.backoffice.superadmin;
  return (await client.call('settings.show', { section: 'none' })).settings;
}

/** The part of the page about one setting. */
const item = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

async function edit(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
}

test('a setting is found, changed, refused where it is wrong, saved and undone', async () => {
  const page = await dashboard.open('/settings');
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('where the days');
  await page.getByText('1 setting', { exact: true }).waitFor();
  await edit(page, 'Time zone');
  const zone = dialog(page, 'Edit timezone').getByLabel('Time zone');
  await zone.fill('berl');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await page.keyboard.press('Enter');
  await page.getByText('timezone saved.').waitFor();
  expect(await stored()).toMatchObject({ timezone: 'Europe/Berlin' });
  await undo(page, 'timezone saved.');
  await item(page, 'Time zone').getByText('UTC', { exact: true }).waitFor();
  // What is written by other means may be wrong.
  await dashboard.backoffice.sql(`update settings set setting_value = 'Mars' where setting_key = 'timezone'`);

  const { url } = dashboard.backoffice.service;
  await page.goto(`${url}/settings`);
  await edit(page, 'Audit trail');
  await item(page, 'Time zone').getByText('It is ignored until you correct it.').waitFor();
  const days = page.getByRole('textbox', { name: 'Audit trail' });
  await days.fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('must be a number of days from 30 to 99999').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  // What is typed is not lost unasked, by Escape or by the back button.
  await page.keyboard.press('Escape');
  await dialog(page, 'Discard').getByRole('button', { name: 'Cancel' }).click();
  await page.evaluate('history.back()');
  await dialog(page, 'Discard').getByRole('button', { name: 'Cancel' }).click();
  expect(await days.inputValue()).toBe('7');
  await page.keyboard.press('Escape');
  await dialog(page, 'Discard').getByRole('button', { name: 'Discard' }).click();
  await item(page, 'Audit trail').getByText('Default: For ever').waitFor();
});

test('a colleague who is quicker, or makes it secret, is told of and never overwritten unseen', async () => {
  const page = await dashboard.open('/settings?q=motto&setting=motto', { expected: [409, 500] });
  const field = page.getByRole('textbox', { name: 'Value' });
  await live(page);
  await field.fill('Be slow');
  // An error of another kind does not let a later change be overwritten.
  await fail(page, '**/api/admin/settings', 'Broken.');
  await field.press('Enter');
  await dialog(page).getByText('Broken.').waitFor();
  await page.unroute('**/api/admin/settings');
  await write({ motto: 'Be brave' });
  const told = dialog(page).getByRole('note');
  await told.getByText('Be brave').waitFor();
  await field.press('Enter');
  await dialog(page).getByText('Changed meanwhile: motto has another value now.').waitFor();
  expect(await stored()).toMatchObject({ motto: 'Be brave' });
  // Nobody tells this page of a change by SQL.
  await dashboard.backoffice.sql(`update settings set setting_value = 'Be loud' where setting_key = 'motto'`);
  await field.press('Enter');
  await told.getByText('Be loud').waitFor();
  expect(await stored()).toMatchObject({ motto: 'Be loud' });
  await told.getByRole('button', { name: 'Take this' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog(page).waitFor({ state: 'detached' });

  await edit(page, 'motto');
  await field.fill('Be slow');
  await write({}, ['motto']);
  await dialog(page).getByText('Somebody has made it secret meanwhile.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('motto saved.').waitFor();
  await item(page, 'motto').getByText('Secret', { exact: true }).waitFor();
});

test('prices and budgets are edited in rows, which keep what a colleague adds, and JSON as a text', async () => {
  await write({
    token_prices: '{"small-1":{"input":"0.15","output":"0.60"},"old-1":{"input":"9","output":"9"}}',
    token_budgets: '{"total":"50.00"}',
  });
  const page = await dashboard.open('/settings?setting=token_prices&model=large-1', { expected: [409] });
  const form = dialog(page, 'Edit token_prices');
  await form.getByText('Cached tokens cost the input price unless you set their own.').waitFor();
  await form.getByText('A model that you remove loses its prices of all months').waitFor();
  const input = form.getByLabel('Input');
  // The row of the model that the address names waits for its price.
  await expect.poll(() => page.evaluate(`document.activeElement.labels?.[0].textContent`)).toBe('Input');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Enter a price such as 0.15.').first().waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await input.nth(2).fill('2.5');
  await form.getByLabel('Output').nth(2).fill(' 10 ');
  await input.nth(0).fill('0.2');
  await form.getByRole('button', { name: 'Remove old-1' }).click();
  await write({
    token_prices: '{"small-1":{"input":"0.15","output":"0.60"},"new-1":{"input":"1","output":"1"}}',
  });
  await form.getByText('new-1: input 1, output 1').waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Save again to replace it.').waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('token_prices saved.').waitFor();
  const since = new Date().toISOString().slice(0, 7);
  expect(JSON.parse((await stored()).token_prices ?? '')).toEqual({
    'small-1': [
      { input: '0.15', output: '0.60' },
      { input: '0.2', output: '0.60', since },
    ],
    'new-1': { input: '1', output: '1' },
    'large-1': { input: '2.5', output: '10' },
  });
  await item(page, 'Token prices').getByText('large-1: input 2.5, output 10').waitFor();

  await edit(page, 'Token budgets');
  const budgets = dialog(page, 'Edit token_budgets');
  await budgets.getByLabel('Budget').first().fill('');
  await budgets.getByRole('button', { name: 'Add a model' }).click();
  await page.keyboard.type('small-1');
  await budgets.getByLabel('Budget').last().fill('5');
  await page.keyboard.press('Enter');
  await page.getByText('token_budgets saved.').waitFor();
  expect(JSON.parse((await stored()).token_budgets ?? '')).toEqual({ models: { 'small-1': '5' } });

  await choose(page, 'Actions for Token budgets', 'Edit as JSON');
  await expect.poll(() => budgets.getByRole('textbox').inputValue()).toContain('"small-1": "5"');
  await page.keyboard.press('Escape');
  await edit(page, 'limits');
  const json = page.getByRole('textbox', { name: 'Value' });
  expect(await json.inputValue()).toContain('"mb": 25');
  await json.fill('{"upload":');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This is not valid JSON.').waitFor();
  await json.fill('{"upload":{"mb":50}}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('limits saved.').waitFor();
  expect(await stored()).toMatchObject({ limits: '{"upload":{"mb":50}}' });
});

test('what is typed for a setting outlives the session, and then changes only what it is about', async () => {
  const { superadmin, service } = dashboard.backoffice;
  const admin = await service.signIn('superadmin');
  const setting = 'token_prices';
  const save = (value: object) =>
    superadmin.client.call('settings.update', { key: setting, value: JSON.stringify(value) });
  await save({ 'small-1': { input: '1', output: '1' } });
  const page = await dashboard.open(`/settings?setting=${setting}`, { as: admin, expected: [401] });
  await dialog(page).getByLabel('Output').fill('2.50');
  await superadmin.client.call('sessions.revoke', { admin_id: admin.id });
  await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
  await save({ 'small-1': { input: '1', output: '1' }, 'large-1': { input: '9', output: '9' } });
  await page.reload();
  await signIn(page, admin.email);
  await dialog(page).getByText('Your unsaved text was kept.').waitFor();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  const { settings } = await superadmin.client.call('settings.show', { section: 'none' });
  expect(JSON.parse(settings[setting] ?? '')).toMatchObject({
    'small-1': [{ output: '1' }, { output: '2.50' }],
    'large-1': { output: '9' },
  });
  await superadmin.client.call('settings.delete', { key: setting });
});

test('a setting is added and deleted with undo; a secret is replaced unseen, not exported, and deleted for good', async () => {
  const page = await dashboard.open('/settings?dialog=add', { expected: [400] });
  const bodies: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/admin/settings')) bodies.push(await response.text().catch(() => ''));
  });
  const sealed = async () => {
    const { secretBox } = dashboard.backoffice.service.services;
    const query = `select setting_value as value from settings where setting_key = 'token' and is_secret`;
    const rows = await dashboard.backoffice.sql<{ value: string }>(query);
    return rows.map(({ value }) => secretBox.open(value, 'setting:token'));
  };
  await submit(dialog(page), { Key: 'motto' }, 'Add');
  await dialog(page).getByText('There is a setting motto already.').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await submit(dialog(page), { Key: 'plain', Value: 'text' }, 'Add');
  await page.getByText('plain added.').waitFor();
  await choose(page, /^Actions for plain$/, 'Delete');
  await page.getByText('plain deleted.').waitFor();
  expect(await stored()).not.toHaveProperty('plain');
  await undo(page, 'plain deleted.');
  await page.getByText('Undone.').waitFor();
  expect(await stored()).toMatchObject({ plain: 'text' });

  await page.goto(`${dashboard.backoffice.service.url}/settings?dialog=add`);
  await dialog(page).getByLabel('Secret').check();
  await submit(dialog(page), { Key: 'visitor_mail', Value: '0' }, 'Add');
  await dialog(page)
    .getByText('visitor_mail cannot be secret, because the service itself reads it.')
    .waitFor();
  await submit(dialog(page), { Key: 'token', Value: 't0ken' }, 'Add');
  await item(page, 'token').getByText('Secret', { exact: true }).waitFor();
  expect(await sealed()).toEqual(['t0ken']);
  await edit(page, 'token');
  const field = page.getByRole('textbox', { name: 'New value' });
  expect(await field.inputValue()).toBe('');
  await field.fill('two\nlines');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('token saved.').waitFor();
  expect(await sealed()).toEqual(['two\nlines']);

  const { content } = await save(page, 'Export');
  await page.getByText('Settings exported, except secrets.').waitFor();
  expect(JSON.parse(content.toString())).toEqual(await stored());
  expect(await stored()).not.toHaveProperty('token');

  await choose(page, /^Actions for token$/, 'Delete');
  await dialog(page).getByText('this cannot be undone').waitFor();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('token deleted.').waitFor();
  await item(page, 'token').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(bodies.join()).not.toMatch(/t0ken|two/);
});

test('the owner sets name, logo and accent, which everybody sees at once, also before the sign-in', async () => {
  const other = await dashboard.open('/', { colorScheme: 'dark', expected: [401] });
  await live(other);
  const page = await dashboard.open('/settings?group=Appearance');
  await edit(page, 'Name');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada & Co');
  await page.keyboard.press('Enter');
  await page.getByRole('banner').getByText('Ada & Co').waitFor();
  await expect.poll(() => other.title()).toContain('Overview · Ada & Co');

  await edit(page, 'Accent colour');
  const colour = page.getByRole('textbox', { name: 'Accent colour' });
  await colour.fill('#ffd43b');
  await page.getByText('In the light theme it is too pale to read').waitFor();
  await colour.press('Enter');
  const accent = (of: Page) =>
    of.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--accent')`);
  await expect.poll(() => accent(other)).toBe('#ffd43b');
  await expect.poll(() => accent(page)).not.toBe('#1864ab');
  for (const each of [page, other]) await expect.poll(() => accessibilityProblems(each)).toEqual([]);

  await edit(page, 'Logo');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const [type = '', content = ''] = svg.slice('data:'.length).split(';base64,');
  const buffer = Buffer.from(content, 'base64');
  await (await chooser).setFiles({ name: 'logo.svg', mimeType: type, buffer });
  await dialog(page).getByAltText('Logo').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  const isShown = (of: Page) => of.evaluate(`document.querySelector('img')?.naturalWidth > 0`);
  await expect.poll(() => isShown(other)).toBe(true);

  await other.context().clearCookies();
  await other.goto(`${dashboard.backoffice.service.url}/sign-in`);
  await other.getByRole('heading', { name: 'Sign in to Ada & Co' }).waitFor();
  await expect.poll(() => isShown(other)).toBe(true);
});

test('a user sees who may change a protected setting before trying', async () => {
  await write({ audit_retention_days: '90' });
  const user = await dashboard.backoffice.service.signIn('user');
  const page = await dashboard.open('/settings?setting=audit_retention_days', { as: user });
  const reason = 'Only superadmins and admins can change this setting.';
  await expectReason(page.getByRole('button', { name: 'Edit Audit trail', exact: true }), reason);
  // The address of its editor opens nothing.
  expect(await dialog(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Actions for Audit trail', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Reset to the default' }).getByText(reason).waitFor();
  await page.keyboard.press('Escape');

  await edit(page, 'motto');
  await page.getByRole('textbox', { name: 'Value' }).fill('Be brave');
  await page.keyboard.press('Enter');
  await page.getByText('motto saved.').waitFor();
});
