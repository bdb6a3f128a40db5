import { createServer } from 'node:http';
import type { FrameLocator, Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { formClock } from '../../src/http/contact/form.ts';
import { png } from '../support/here/rows.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { listenOnLoopback } from '../support/receivers/listen.ts';

const secret = 'a-secret-of-the-contact-page-and-of-nobody-else';
const { backoffice, open } = webHere({ SESSION_SECRET: secret });

/** Sends the form faster than people type, however slow the machine is: to the service, it is shown in an hour. */
async function sendAtOnce(form: Page | FrameLocator) {
  const shown = formClock([secret]).start(Date.now() + 3_600_000);
  await form
    .locator('input[name=shown]')
    .evaluate((input, value) => void Object.assign(input, { value }), shown);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByRole('alert').getByText('faster than people type').waitFor();
}

beforeAll(async () => {
  const updates = { contact_page: '1', contact_intro: 'We answer within a day.', site_name: 'Ada’s Shop' };
  const looks = { site_logo: png, accent_color: '#ffd43b' };
  await backoffice.superadmin.client.call('settings.update', { updates: { ...updates, ...looks } });
});

test.for(['light', 'dark'] as const)(
  'is accessible and keeps to its policy in the %s theme',
  async (colorScheme) => {
    const page = await open('/contact', {
      as: null,
      colorScheme,
      viewport: { width: 390, height: 844 },
      expected: [400],
    });
    expect(await page.getByRole('img').count()).toBe(0);
    expect(await page.evaluate("document.querySelector('header img').naturalWidth")).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const steps = page.getByLabel('Steps to see the problem');
    expect(await steps.isVisible()).toBe(false);
    await page.getByLabel('Report a problem').check();
    await steps.fill('1. Look');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Your e-mail').fill('ada@example');
    await page.getByLabel('Your message').fill('The button\ndoes <i>nothing</i>.');
    await sendAtOnce(page);
    expect(await page.getByLabel('Your message').inputValue()).toBe('The button\ndoes <i>nothing</i>.');
    expect(await steps.inputValue()).toBe('1. Look');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${backoffice.service.url}/contact/thanks`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Send another message' }).click();
    await page.getByRole('heading', { name: 'Contact Ada’s Shop' }).waitFor();
  },
);

test('a page of an allowed origin shows it in a frame and sends it, and one of another origin does not', async () => {
  const form = `${backoffice.service.url}/contact`;
  const website = createServer((_req, res) => res.end(`<!doctype html><iframe src="${form}"></iframe>`));
  const port = await listenOnLoopback(website);
  onTestFinished(() => void website.close());
  // The same page at two origins, of which the setting has one.
  const [allowed, foreign] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  await backoffice.superadmin.client.call('settings.update', { updates: { contact_origins: allowed } });
  const page = await open('/contact', {
    as: null,
    expected: [400],
    errors: ['frame-ancestors', 'ERR_BLOCKED_BY_RESPONSE'],
  });
  await page.goto(allowed);
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Your name').fill('Ada');
  await frame.getByLabel('Your e-mail').fill('ada@example.com');
  await frame.getByLabel('Your message').fill('From the frame');
  // It is taken as a form: that it came faster than people type is the last thing that is checked.
  await sendAtOnce(frame);
  expect(await frame.getByLabel('Your message').inputValue()).toBe('From the frame');

  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(foreign);
  await refused;
  expect(await frame.getByLabel('Your name').count()).toBe(0);
});
