import { readFile } from 'node:fs/promises';
import type { Locator, Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { type Backoffice, password } from '../support/here.ts';

/** Starts a conversation, with a first message of the visitor if there is one. Returns its id. */
export async function startConversation(
  { superadmin }: Backoffice,
  name: string,
  subject: string,
  message?: string,
): Promise<string> {
  const { conversation } = await superadmin.client.call('conversations.create', {
    visitor_email: `${name.split(' ')[0]}@example.com`.toLowerCase(),
    visitor_name: name,
    subject,
    initial_message: message,
  });
  return conversation.id;
}

/** Finds the rows with that text. */
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Finds the dialog of that name, or any. */
export const dialog = (page: Page, name?: string) =>
  page.getByRole('dialog', name === undefined ? {} : { name });

/** Resolves when a page receives events. */
export async function live(page: Page): Promise<void> {
  await page.getByRole('status').getByText('Live').waitFor();
}

/** Signs in on the page that shows the sign-in. */
export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Presses a key of a layout that the test browser does not have, such as `о` on `KeyJ`, where the focus is. */
export async function pressForeign(page: Page, key: string, code: string, ctrlKey = false): Promise<void> {
  const pressed = JSON.stringify({ key, code, ctrlKey, bubbles: true, cancelable: true });
  await page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', ${pressed}))`);
}

/** What `seen` asks an element for: the tests know no DOM. */
interface Drawn {
  getBoundingClientRect(): Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;
  contains(other: unknown): boolean;
  readonly ownerDocument: { elementFromPoint(x: number, y: number): unknown };
}

/** Resolves when an element is on the screen as a whole, with nothing over it. */
export async function seen(element: Locator): Promise<void> {
  const isSeen = () =>
    element.evaluate((node: Drawn) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      const at = (y: number) => node.ownerDocument.elementFromPoint((left + right) / 2, y);
      return node.contains(at(top + 2)) && node.contains(at(bottom - 2));
    });
  await expect.poll(isSeen).toBe(true);
}

/** Holds the requests of a page to an address. Returns the function that lets them through. */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/** Answers the requests of a page to an address with this error, as a service that fails would. */
export async function fail(page: Page, address: string, error: string): Promise<void> {
  await page.route(address, (route) => route.fulfill({ status: 500, json: { error } }));
}

/** Has something happen after the service has answered a request of a page, and before the page has the answer. */
export async function beforeAnswer(
  page: Page,
  address: string | RegExp,
  happen: () => Promise<unknown>,
): Promise<void> {
  const answer = async (route: Route) => {
    const response = await route.fetch();
    await happen();
    await route.fulfill({ response });
  };
  await page.route(address, answer, { times: 1 });
}

/** Fills in the fields of a form by their labels, and presses its button. */
export async function submit(
  form: Locator | Page,
  fields: Readonly<Record<string, string>>,
  button: string,
): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: button }).click();
}

/** Presses an entry of a menu or a list. */
export async function choose(page: Page, menu: string | RegExp, entry: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  const item = page.getByRole('menuitem', { name: entry });
  await item.or(page.getByRole('option', { name: entry })).click();
}

/** Filters a list by a choice, and closes the list of choices. */
export async function filterBy(page: Page, filter: string, choice: string): Promise<void> {
  await page
    .locator('[aria-haspopup="listbox"]')
    .and(page.getByRole('button', { name: filter }))
    .click();
  await page.getByRole('option', { name: choice, exact: true }).click();
  if ((await page.getByRole('option').count()) > 0) await page.keyboard.press('Escape');
}

/** Presses the button of the message that says what was done. An earlier message may still be there. */
export async function undo(page: Page, said: string): Promise<void> {
  const message = page.getByRole('alert').filter({ hasText: said });
  await message.getByRole('button', { name: 'Undo' }).first().click();
}

/** Resolves when a button that one may not press says why. */
export async function expectReason(button: Locator, reason: string): Promise<void> {
  const shown = button.page().getByRole('tooltip').getByText(reason);
  // What tells the reason is loaded after the page, and shows it when the button gets the focus.
  const timesShown = async () => {
    await button.blur();
    await button.focus();
    return await shown.count();
  };
  await expect.poll(timesShown).toBe(1);
}

/** Presses what saves a file, and returns its name and what it contains. */
export async function save(page: Page, name: string, role: 'button' | 'menuitem' = 'button') {
  const saving = page.waitForEvent('download');
  await page.getByRole(role, { name }).click();
  const file = await saving;
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}
