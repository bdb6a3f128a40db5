import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { password } from '../support/here.ts';

/** Signs in on the page that shows the sign-in. */
export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
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

/** Presses the button that saves a file, and returns its name and what it contains. */
export async function save(page: Page, button: string) {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await saving;
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}
