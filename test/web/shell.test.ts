import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pages } from '../../src/contract/pages.ts';
import { operationOf } from '../../src/contract/registry.ts';
import { roles } from '../../src/contract/vocabulary.ts';
import { pressedKey } from '../../web/src/app/commands/keys.ts';
import { password } from '../support/here.ts';
import { noticesOf, pressNotice, recordNotices, setHidden, tabTo } from '../support/page/notices.ts';
import { webHere } from '../support/page.ts';
import { dialog, live, pressForeign, row, startConversation } from './steps.ts';

const dashboard = webHere();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function reportIssue(title: string, severity = 'Low'): Promise<number> {
  const { client } = dashboard.backoffice.superadmin;
  return (await client.call('issues.create', { title, severity })).id;
}

/** Waits until the palette has found everything: until then its entries move. */
async function searched(page: Page): Promise<void> {
  const status = dialog(page).getByRole('status');
  await status.filter({ hasText: /\d results?$/ }).waitFor({ state: 'attached' });
}

test('the palette finds pages, actions and things, by the keyboard, and remembers what was opened', async () => {
  const { client } = dashboard.backoffice.superadmin;
  const id = await reportIssue('The elephant does not fit');
  await client.call('settings.update', { key: 'elephant_size', value: 'large' });
  await startConversation(dashboard.backoffice, 'Hannibal Barkas', 'Alps', 'How high?');
  const page = await dashboard.open('/');
  await live(page);
  const field = page.getByRole('combobox', { name: 'Command' });
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  async function find(text: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await field.fill(text);
    await searched(page);
  }

  await find(`issue ${id}`);
  await option('The elephant does not fit').waitFor();
  await page.keyboard.press('Enter');
  await dialog(page).getByText('The elephant does not fit').first().waitFor();
  await page.keyboard.press('Escape');

  await find('barkas');
  await option('Hannibal Barkas: Alps').click();
  await page.getByRole('log').getByText('How high?').waitFor();

  await find('elephant');
  await expect.poll(() => page.getByRole('group').allInnerTexts()).toHaveLength(2);
  await option('elephant_size').waitFor();
  await find('');
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect
    .poll(() => recent.allInnerTexts())
    .toEqual([expect.stringContaining('Hannibal'), expect.stringContaining('elephant')]);
});

test('shortcuts lead to the pages, do nothing in a field, are listed, and can be turned off', async () => {
  const page = await dashboard.open('/');
  await live(page);
  // A busy machine may take longer from one key to the next than a sequence may.
  await expect
    .poll(async () => {
      await pressForeign(page, 'п', 'KeyG');
      await pressForeign(page, 'ф', 'KeyA');
      return await heading(page, 'Admins').count();
    })
    .toBe(1);
  await expect
    .poll(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('i');
      return await heading(page, 'Issues').count();
    })
    .toBe(1);
  await page.keyboard.press('/');
  await page.keyboard.type('g c?');
  await expect.poll(() => page.getByRole('searchbox', { name: 'Search issues' }).inputValue()).toBe('g c?');
  await page.getByRole('searchbox', { name: 'Search issues' }).blur();

  await page.keyboard.press('?');
  const sheet = dialog(page, 'Keyboard shortcuts');
  await sheet.getByText('Go to Conversations').waitFor();
  await sheet.getByRole('switch').uncheck({ force: true });
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await page.reload();
  await live(page);
  await page.keyboard.press('?');
  expect(await sheet.count()).toBe(0);
  await pressForeign(page, 'л', 'KeyK', true);
  await page.getByRole('combobox', { name: 'Command' }).waitFor();
});

test('a key is what it types, and on a layout without Latin letters what it types on the US layout', () => {
  const keys = [
    ['Russian', 'о', 'KeyJ', 'j'],
    ['Russian', 'Ч', 'KeyX', 'X'],
    ['Russian', '/', 'Backslash', '/'],
    ['Greek', 'ξ', 'KeyJ', 'j'],
    ['Hebrew', 'ח', 'KeyJ', 'j'],
    ['Arabic', '؟', 'Slash', '?'],
    ['Korean', 'ㅓ', 'KeyJ', 'j'],
    ['Thai', 'ฝ', 'Slash', '/'],
    ['Dvorak', 'j', 'KeyC', 'j'],
    ['French', 'a', 'KeyQ', 'a'],
    ['French', '§', 'Slash', '§'],
    ['French', 'é', 'Digit2', 'é'],
    ['German', 'ö', 'Semicolon', 'ö'],
    ['any', 'Enter', 'Enter', 'Enter'],
    ['any', 'ArrowDown', 'Numpad2', 'ArrowDown'],
  ] as const;
  const shifted: readonly string[] = ['X', '?', '§'];
  for (const [layout, key, code, expected] of keys) {
    const pressed = pressedKey({ key, code, shiftKey: shifted.includes(expected) });
    expect(pressed, `${layout}: ${key}`).toBe(expected);
  }
});

test.each(roles)(
  'each role is offered the pages that it may see, and told of the others: %s',
  async (role) => {
    const admin = await dashboard.backoffice.service.signIn(role);
    const page = await dashboard.open('/', { as: admin });
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.first().waitFor();
    const known = Object.values(pages).map(({ path, title, needs }) => {
      const { allow } = operationOf(needs);
      return { path, title, allowed: allow.to === 'roles' ? allow.roles : roles };
    });
    const offered = known.filter(({ allowed }) => allowed.includes(role));
    const paths = await links.evaluateAll((found) => found.map((link) => new URL(String(link)).pathname));
    expect(paths).toEqual(offered.map(({ path }) => path));
    const others = known.filter((page) => !offered.includes(page));
    for (const { path, title, allowed } of others) {
      await page.goto(dashboard.backoffice.service.url + path);
      await page.getByRole('heading', { name: `You may not see ${title}` }).waitFor();
      await page.getByText(`Only ${allowed[0]}s`).waitFor();
    }
  },
);

test('an address that does not exist is a 404 that says so within the dashboard', async () => {
  const page = await dashboard.open('/nowhere/at/all', { expected: [404] });
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.getByRole('button', { name: 'Go to the overview' }).click();
  await heading(page, 'Overview').waitFor();
});

test('signing in, a status and a reply need no mouse', async () => {
  const { email } = dashboard.backoffice.superadmin;
  const id = await reportIssue('By the keyboard', 'High');
  await startConversation(dashboard.backoffice, 'Kay Board', 'Keys', 'Which keys?');
  const page = await dashboard.open('/issues?q=By+the+keyboard', { as: null });
  const { keyboard } = page;

  await tabTo(page.getByLabel('E-mail'));
  await keyboard.type(email);
  await tabTo(page.getByLabel('Password', { exact: true }));
  await keyboard.type(password);
  await keyboard.press('Enter');

  await row(page, 'By the keyboard').waitFor();
  await tabTo(page.getByRole('grid'));
  await keyboard.press('Enter');
  await tabTo(dialog(page).getByRole('combobox', { name: 'Status' }));
  await keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'In Progress' }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  const status = () => dashboard.backoffice.sql('select status from issues where id = $1', [id]);
  await expect.poll(status).toEqual([{ status: 'In Progress' }]);
  await keyboard.press('Escape');

  await keyboard.press('Control+k');
  await tabTo(page.getByRole('combobox', { name: 'Command' }));
  await keyboard.type('kay board');
  await page.getByRole('option', { name: 'Kay Board: Keys' }).waitFor();
  await searched(page);
  await keyboard.press('Enter');
  await page.getByRole('log').getByText('Which keys?').waitFor();
  await tabTo(page.getByRole('textbox', { name: 'Reply' }));
  await keyboard.type('All of them.');
  await keyboard.press('Control+Enter');
  await page.getByRole('log').getByText('All of them.').waitFor();
});

test('Escape closes the dialog on top alone, and loses nothing that was typed below it', async () => {
  const page = await dashboard.open('/saved-replies');
  const form = dialog(page, 'New saved reply');
  const question = dialog(page, 'Discard what you typed?');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await form.getByLabel('Title').fill('Half');
  await page.keyboard.press('Escape');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await form.getByLabel('Title').inputValue()).toBe('Half');
  await form.getByLabel('Title').fill('');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
});

test('a desktop notification is shown once by all hidden tabs, and leads to its issue', async () => {
  const first = await dashboard.open('/issues');
  const context = first.context();
  await context.addInitScript(recordNotices);
  const second = await context.newPage();
  const tabs = [first, second];
  await second.goto(dashboard.backoffice.service.url);
  await first.reload();
  for (const tab of tabs) await live(tab);
  const shown = async () => (await Promise.all(tabs.map(noticesOf))).flat();

  // Nothing is shown before it is asked for, while a tab is visible, or for an issue that can wait.
  for (const tab of tabs) await setHidden(tab, true);
  await reportIssue('Before', 'Critical');
  await setHidden(first, false);
  const [name = ''] = dashboard.backoffice.superadmin.email.split('@');
  await first.getByRole('button', { name }).click();
  await first.getByRole('menuitemcheckbox', { name: 'Desktop notifications' }).click();
  await second.evaluate(`Notification.permission = 'granted'`);
  await reportIssue('Seen', 'Critical');
  // Both have the event while one is visible.
  await first.getByRole('button', { name: '2 new' }).waitFor();
  // A hidden tab reads nothing but the count in its title, whose event comes after the other.
  await startConversation(dashboard.backoffice, 'Vera Visitor', 'Seen too', 'Hello?');
  await expect.poll(() => second.title()).toMatch(/^\(\d+\) /);
  await setHidden(first, true);
  await reportIssue('Can wait', 'Low');
  const id = await reportIssue('On fire', 'Critical');
  await expect.poll(shown).toEqual([`Critical issue ${id}: On fire`]);
  const showing = (await noticesOf(first)).length > 0 ? first : second;
  await pressNotice(showing);
  await showing.waitForURL(`**/issues?issue=${id}`);
});
