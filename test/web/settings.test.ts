import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { svg } from '../support/here/rows.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { beforeAnswer, choose, expectReason, live, save, submit, undo } from './steps.ts';

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
  await expect.poll(() => new URL(page.url()).search).toBe('?q=where+the+days');
  await edit(page, 'Time zone');
  const zone = item(page, 'Time zone').getByRole('combobox');
  await zone.fill('berl');
  for (const key of ['ArrowDown', 'Enter', 'Enter']) await page.keyboard.press(key);
  await page.getByText('timezone saved.').waitFor();
  expect(await stored()).toMatchObject({ timezone: 'Europe/Berlin' });
  await undo(page, 'timezone saved.');
  await item(page, 'Time zone').getByText('UTC', { exact: true }).waitFor();
  expect(await stored()).toMatchObject({ timezone: 'UTC' });

  const { url } = dashboard.backoffice.service;
  await page.goto(`${url}/settings?group=Retention&setting=audit_retention_days`);
  const days = page.getByRole('textbox', { name: 'Audit trail' });
  await days.fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('must be a number of days from 30 to 99999').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await item(page, 'Audit trail').getByText('Default: For ever').waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?group=Retention');
  expect(await stored()).not.toHaveProperty('audit_retention_days');
});

test('shows what a colleague changes while the page loads', async () => {
  const page = await dashboard.open('/profile');
  const colleague = (await dashboard.backoffice.service.signIn('user')).client;
  await beforeAnswer(page, /\/api\/admin\/settings\?section=none/, async () => {
    // The page asks for its name when it has received the event.
    const received = page.waitForRequest(/\/branding\.json$/);
    await colleague.call('settings.update', { updates: { motto: 'Be quick', site_name: 'Acme' } });
    await received;
  });
  await page.goto(`${dashboard.backoffice.service.url}/settings?q=motto`);
  await item(page, 'motto').getByText('Be quick').waitFor();
});

test('a colleague who is quicker, or makes it secret, is told of and never overwritten unseen, with both values', async () => {
  const page = await dashboard.open('/settings?q=motto&setting=motto', { expected: [409] });
  const field = page.getByRole('textbox', { name: 'motto' });
  await live(page);
  const colleague = await dashboard.backoffice.service.signIn('user');
  // A field that nobody has written in follows.
  await colleague.client.call('settings.update', { key: 'motto', value: 'Be quick' });
  await expect.poll(() => field.inputValue()).toBe('Be quick');
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
  await colleague.client.call('settings.update', { key: 'motto', value: 'Be bold' });
  await item(page, 'motto').getByText(`by ${colleague.email}`).waitFor();

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
  await expect.poll(() => json.inputValue()).toBe('{\n  "upload": {\n    "mb": 25\n  }\n}');
  await json.fill('{"upload":\n  {mb: 50}}');
  await page.getByText('Line 2, column 4: a name in double quotes or } is missing.').waitFor();
  await json.fill('{"upload":{"mb":50},"rows":9}');
  await page.getByText('An object with 2 entries: upload, rows').waitFor();
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
  await edit(page, 'motto');
  await expect.poll(() => page.getByRole('textbox', { name: 'motto' }).inputValue()).toBe('Be kind');
});

test('a setting is added and deleted, and both are undone', async () => {
  const page = await dashboard.open('/settings?dialog=add');
  const dialog = page.getByRole('dialog');
  await submit(dialog, { Key: 'motto' }, 'Add');
  await dialog.getByText('There is a setting motto already.').waitFor();
  await dialog.getByLabel('Key').fill('token');
  await dialog.getByLabel('Value').fill('t0ken');
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByText('token added.').waitFor();
  expect(await stored()).toMatchObject({ token: 't0ken' });

  await choose(page, /^Actions for token$/, 'Delete');
  await page.getByText('token deleted.').waitFor();
  expect(await stored()).not.toHaveProperty('token');
  await undo(page, 'token deleted.');
  await page.getByText('Undone.').waitFor();
  expect(await stored()).toMatchObject({ token: 't0ken' });
});

test('a secret is added, replaced unseen, left out of the export, and deleted after a question, never with an undo', async () => {
  const page = await dashboard.open('/settings?dialog=add');
  const bodies: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/admin/settings')) bodies.push(await response.text().catch(() => ''));
  });
  const secrets = async () => {
    const { secretBox } = dashboard.backoffice.service.services;
    const sealed = 'select setting_key as key, setting_value as value from settings where is_secret';
    const rows = await dashboard.backoffice.sql<{ key: string; value: string }>(sealed);
    return rows.map(({ key, value }) => [key, secretBox.open(value, `setting:${key}`)]);
  };
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key').fill('token');
  await dialog.getByLabel('Value').fill('t0ken');
  await dialog.getByLabel('Secret').check();
  await dialog.getByText('shows it to nobody').waitFor();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByText('token added.').waitFor();
  expect(await secrets()).toEqual([['token', 't0ken']]);
  await item(page, 'token').getByText('Secret', { exact: true }).waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);

  await edit(page, 'token');
  const field = page.getByRole('form', { name: 'token' }).getByRole('textbox');
  expect(await field.inputValue()).toBe('');
  await field.fill('two\nlines');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('token saved.').waitFor();
  expect(await secrets()).toEqual([['token', 'two\nlines']]);

  await page.getByRole('button', { name: 'Export' }).click();
  const { content } = await save(page, 'All but secrets, as JSON', 'menuitem');
  expect(JSON.parse(content.toString())).toEqual(await stored());
  expect(await stored()).not.toHaveProperty('token');

  await choose(page, /^Actions for token$/, 'Delete');
  await page.getByRole('dialog').getByText('this cannot be undone').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('token deleted.').waitFor();
  await item(page, 'token').waitFor({ state: 'detached' });
  expect(await secrets()).toEqual([]);
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(bodies.join()).not.toMatch(/t0ken|two/);
});

test('an import shows first what would change, writes what is chosen at once, and is undone', async () => {
  const page = await dashboard.open('/settings?dialog=import', { expected: [409] });
  const dialog = page.getByRole('dialog');
  const before: Record<string, string> = { ...(await stored()), motto: 'Be quick' };
  const { support_email } = before;
  const file = { motto: 'Be brave', support_email, fresh: '1', rest: '2', timezone: 'Mars', no: 1 };
  await submit(dialog, { JSON: '{"a":}' }, 'Compare');
  await dialog.getByText('Line 1, column 6: a value is missing.').waitFor();
  await submit(dialog, { JSON: JSON.stringify(file) }, 'Compare');
  await dialog.getByText('2 new, 1 changed, 1 unchanged, 2 invalid.').waitFor();
  await dialog.getByText('The setting timezone must be a zone').waitFor();
  await dialog.getByText('The value is not a text.').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await dialog.getByLabel(/^rest/).uncheck();

  await write({ motto: 'Be quick' });
  await dialog.getByRole('button', { name: 'Import 2 settings' }).click();
  await dialog.getByText('Changed meanwhile: motto has another value now.').waitFor();
  expect(await stored()).not.toHaveProperty('fresh');
  await dialog.getByRole('button', { name: 'Compare again' }).click();
  await dialog.getByText('Be quick').waitFor();
  await dialog.getByLabel(/^rest/).uncheck();
  await dialog.getByRole('button', { name: 'Import 2 settings' }).click();
  await page.getByText('2 settings imported.').waitFor();
  expect(await stored()).toEqual({ ...before, motto: 'Be brave', fresh: '1' });

  await undo(page, '2 settings imported.');
  await page.getByText('Undone.').waitFor();
  expect(await stored()).toEqual(before);
});

test('the owner sets name, logo and accent, which everybody sees at once, also before the sign-in', async () => {
  const other = await dashboard.open('/', { colorScheme: 'dark' });
  await live(other);
  const page = await dashboard.open('/settings?group=Appearance', { expected: [400] });
  await edit(page, 'Name');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada & Co');
  await page.keyboard.press('Enter');
  await page.getByRole('banner').getByText('Ada & Co').waitFor();
  await expect.poll(() => other.title()).toContain('Overview · Ada & Co');

  await edit(page, 'Accent colour');
  const colour = page.getByRole('textbox', { name: 'Accent colour' });
  await colour.fill('red');
  await colour.press('Enter');
  await page.getByText('The setting accent_color must be a colour such as #0b7285.').waitFor();
  await colour.fill('#ffd43b');
  await page.getByText('In the light theme it is too pale for texts').waitFor();
  await page.getByText('In the dark theme it is shown as it is.').waitFor();
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

  const visitor = await dashboard.open('/sign-in', { as: null });
  await visitor.getByRole('heading', { name: 'Sign in to Ada & Co' }).waitFor();
  await expect.poll(() => visitor.title()).toBe('Sign in · Ada & Co');
  await expect.poll(() => isShown(visitor)).toBe(true);
  await expect.poll(() => accessibilityProblems(visitor)).toEqual([]);
});

test('an editor that opens at the lower edge of the window is in view with its buttons', async () => {
  const height = 500;
  const models = ['one', 'two', 'three'].map((name) => [name, { input: '1', output: '2' }]);
  await write({ token_prices: JSON.stringify(Object.fromEntries(models)) });
  const page = await dashboard.open('/settings?setting=token_prices', { viewport: { width: 1440, height } });
  const button = page.getByRole('form', { name: 'Token prices' }).getByRole('button', { name: 'Save' });
  const isInView = async () => {
    const box = await button.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= height;
  };
  await expect.poll(isInView).toBe(true);
});

test('a user sees who may change a protected setting before trying', async () => {
  await write({ currency: 'EUR', token: 't0ken' }, ['token']);
  const user = await dashboard.backoffice.service.signIn('user');
  const page = await dashboard.open('/settings?setting=currency', { as: user });
  const reason = 'Only superadmins and admins can change this setting.';
  const button = page.getByRole('button', { name: 'Edit Currency', exact: true });
  await button.and(page.locator('[aria-disabled=true]')).waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  // The address of its editor opens nothing.
  expect(await page.getByRole('form').count()).toBe(0);
  await expectReason(button, reason);
  await button.click({ force: true });
  expect(await page.getByRole('form').count()).toBe(0);
  await page.getByRole('button', { name: 'Edit Second factor', exact: true }).focus();
  await page.getByRole('tooltip').getByText('Only superadmins can change this setting.').waitFor();
  await page.getByRole('button', { name: 'Actions for Currency', exact: true }).click();
  const reset = page.getByRole('menuitem', { name: 'Reset to the default' });
  await reset.getByText(reason).waitFor();
  await reset.click({ force: true });
  expect(await stored()).toMatchObject({ currency: 'EUR' });
  await page.keyboard.press('Escape');

  await edit(page, 'motto');
  await page.getByRole('textbox', { name: 'motto' }).fill('Be brave');
  await page.keyboard.press('Enter');
  await page.getByText('motto saved.').waitFor();

  await page.getByRole('button', { name: 'Add a setting' }).click();
  const dialog = page.getByRole('dialog');
  await submit(dialog, { Key: 'history_retention_days' }, 'Add');
  await dialog.getByText(reason).waitFor();
  await page.goto(`${dashboard.backoffice.service.url}/settings?dialog=import`);
  const file = '{"currency":"USD","token_prices":"{}","motto":"x","timezone":"UTC"}';
  await submit(dialog, { JSON: file }, 'Compare');
  await dialog.getByText('0 new, 1 changed, 1 unchanged, 2 invalid.').waitFor();
  expect(await dialog.getByText(reason).count()).toBe(2);
});
