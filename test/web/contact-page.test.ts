import { beforeAll, expect, test } from 'vitest';
import { png } from '../support/here/rows.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';

const { backoffice, open } = webHere();

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
    // Faster than people type.
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Your message').inputValue()).toBe('The button\ndoes <i>nothing</i>.');
    expect(await steps.inputValue()).toBe('1. Look');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${backoffice.service.url}/contact/thanks`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Send another message' }).click();
    await page.getByRole('heading', { name: 'Contact Ada’s Shop' }).waitFor();
  },
);
