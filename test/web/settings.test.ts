import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { svg } from '../support/here/rows.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { choose, dialog, expectReason, live, save, submit, undo } from './steps.ts';

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

test('a setting is found, changed in place, refused where it is wrong, saved and undone', async () => {
  const page = await dashboard.open('/settings', { expected: [400] });
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('where the days');
  await page.getByText('1 setting', { exact: true }).waitFor();
  await edit(page, 'Time zone');
  const zone = item(page, 'Time zone').getByRole('combobox');
  await zone.fill('berl');
  for (const key of ['ArrowDown', 'Enter', 'Enter']) await page.keyboard.press(key);
  await page.getByText('timezone saved.').waitFor();
  expect(await stored()).toMatchObject({ timezone: 'Europe/Berlin' });
  await undo(page, 'timezone saved.');
  await item(page, 'Time zone').getByText('UTC', { exact: true }).waitFor();

  const { url } = dashboard.backoffice.service;
  await page.goto(`${url}/settings?group=Retention&setting=audit_retention_days`);
  const days = page.getByRole('textbox', { name: 'Audit trail' });
  await days.fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('must be a number of days from 30 to 99999').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await item(page, 'Audit trail').getByText('Default: For ever').waitFor();
});

test('a colleague who is quicker, or makes it secret, is told of and never overwritten unseen, with both values', async () => {
  const page = await dashboard.open('/settings?q=motto&setting=motto', { expected: [409] });
  const field = page.getByRole('textbox', { name: 'motto' });
  await live(page);
  const colleague = await dashboard.backoffice.service.signIn('user');
  await field.fill('Be slow');
  await colleague.client.call('settings.update', { key: 'motto', value: 'Be brave' });
  const told = item(page, 'motto').getByRole('alert');
  await told.getByText(`${colleague.email} has changed this setting meanwhile.`).waitFor();
  await told.getByText('Be brave').waitFor();
  await expect.poll(() => field.inputValue()).toBe('Be slow');
  await told.getByRole('button', { name: 'Go on with mine' }).click();

  // Nobody tells this page of a change by SQL.
  await dashboard.backoffice.sql(`update settings set setting_value = 'Be loud' where setting_key = 'motto'`);
  await field.press('Enter');
  await told.getByText('Changed meanwhile: motto has another value now.').waitFor();
  await told.getByText('Be loud').waitFor();
  expect(await stored()).toMatchObject({ motto: 'Be loud' });
  await told.getByRole('button', { name: 'Keep theirs' }).click();
  await item(page, 'motto').getByText('Be loud').waitFor();

  await edit(page, 'motto');
  await field.fill('Be slow');
  await write({}, ['motto']);
  await told.getByText('It is secret now.').waitFor();
  await told.getByRole('button', { name: 'Go on with mine' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('motto saved.').waitFor();
  await item(page, 'motto').getByText('Secret', { exact: true }).waitFor();
});

test('JSON is edited with the place of an error, and several settings are saved together', async () => {
  const page = await dashboard.open('/settings?group=Other');
  await edit(page, 'limits');
  const json = page.getByRole('textbox', { name: 'limits' });
  await json.fill('{"upload":\n  {mb: 50}}');
  await page.getByText('Line 2, column 4: a name in double quotes or } is missing.').waitFor();
  await json.fill('{"upload":{"mb":50},"rows":9}');
  await page.getByRole('button', { name: 'Format' }).click();
  await expect.poll(() => json.inputValue()).toBe('{\n  "upload": {\n    "mb": 50\n  },\n  "rows": 9\n}');

  await edit(page, 'motto');
  await page.getByRole('textbox', { name: 'motto' }).fill('Be brave');
  await page.getByText('2 settings changed, not saved').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save all' }).click();
  await page.getByText('2 settings saved.').waitFor();
  expect(await stored()).toMatchObject({ motto: 'Be brave', limits: expect.stringContaining('"rows": 9') });
  await undo(page, '2 settings saved.');
  await page.getByText('Undone.').waitFor();
  expect(await stored()).toMatchObject({ motto: 'Be kind', limits: '{"upload":{"mb":25}}' });
});

test('a setting is added and deleted with undo; a secret is replaced unseen, not exported, and deleted for good', async () => {
  const page = await dashboard.open('/settings?dialog=add');
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
  await submit(dialog(page), { Key: 'token', Value: 't0ken' }, 'Add');
  await item(page, 'token').getByText('Secret', { exact: true }).waitFor();
  expect(await sealed()).toEqual(['t0ken']);
  await edit(page, 'token');
  const field = page.getByRole('form', { name: 'token' }).getByRole('textbox');
  expect(await field.inputValue()).toBe('');
  await field.fill('two\nlines');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('token saved.').waitFor();
  expect(await sealed()).toEqual(['two\nlines']);

  await page.getByRole('button', { name: 'Export' }).click();
  const { content } = await save(page, 'All but secrets, as JSON', 'menuitem');
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

test('an import shows first what would change, writes what is chosen at once, and is undone', async () => {
  const page = await dashboard.open('/settings?dialog=import', { expected: [409] });
  const form = dialog(page);
  const before: Record<string, string> = { ...(await stored()), motto: 'Be quick' };
  const { support_email } = before;
  const file = { motto: 'Be brave', support_email, fresh: '1', rest: '2', timezone: 'Mars', no: 1 };
  await submit(form, { JSON: '{"a":}' }, 'Compare');
  await form.getByText('Line 1, column 6: a value is missing.').waitFor();
  await submit(form, { JSON: JSON.stringify(file) }, 'Compare');
  await form.getByText('2 new, 1 changed, 1 unchanged, 2 invalid.').waitFor();
  await form.getByText('The setting timezone must be a zone').waitFor();
  await form.getByText('The value is not a text.').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await form.getByLabel(/^rest/).uncheck();

  await write({ motto: 'Be quick' });
  await form.getByRole('button', { name: 'Import 2 settings' }).click();
  await form.getByText('Changed meanwhile: motto has another value now.').waitFor();
  expect(await stored()).not.toHaveProperty('fresh');
  await form.getByRole('button', { name: 'Compare again' }).click();
  await form.getByText('Be quick').waitFor();
  await form.getByLabel(/^rest/).uncheck();
  await form.getByRole('button', { name: 'Import 2 settings' }).click();
  await page.getByText('2 settings imported.').waitFor();
  expect(await stored()).toEqual({ ...before, motto: 'Be brave', fresh: '1' });

  await undo(page, '2 settings imported.');
  await page.getByText('Undone.').waitFor();
  expect(await stored()).toEqual(before);
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
  await page.getByText('In the light theme it is too pale for texts').waitFor();
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
  await page.getByAltText('The logo in the dark theme').waitFor();
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
  expect(await page.getByRole('form').count()).toBe(0);
  await page.getByRole('button', { name: 'Actions for Audit trail', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Reset to the default' }).getByText(reason).waitFor();
  await page.keyboard.press('Escape');

  await edit(page, 'motto');
  await page.getByRole('textbox', { name: 'motto' }).fill('Be brave');
  await page.keyboard.press('Enter');
  await page.getByText('motto saved.').waitFor();

  await page.goto(`${dashboard.backoffice.service.url}/settings?dialog=import`);
  const file = '{"audit_retention_days":"30","history_retention_days":"9","motto":"x","timezone":"UTC"}';
  await submit(dialog(page), { JSON: file }, 'Compare');
  await dialog(page).getByText('0 new, 1 changed, 1 unchanged, 2 invalid.').waitFor();
  expect(await dialog(page).getByText(reason).count()).toBe(2);
});
