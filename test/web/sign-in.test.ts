import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { enrolApp } from '../support/here/accounts.ts';
import { password } from '../support/here.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';

const dashboard = webHere();

async function enter(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('signing in', () => {
  test('leads back to where one wanted to go, and signing out to the sign-in', async () => {
    const page = await dashboard.open('/issues?status=Open', { as: null });
    await enter(page, dashboard.backoffice.superadmin.email);
    await page.getByRole('heading', { name: 'Issues' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?status=Open');
    await page
      .getByRole('button', { name: dashboard.backoffice.superadmin.email.split('@')[0] ?? '' })
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
  });

  test.each(['//example.com/', '/\\example.com', 'https://example.com/'])(
    'never leads to another site: %s',
    async (back) => {
      const page = await dashboard.open(`/sign-in?back=${encodeURIComponent(back)}`, { as: null });
      await enter(page, dashboard.backoffice.superadmin.email);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(new URL(page.url()).origin).toBe(dashboard.backoffice.service.url);
    },
  );

  test('says what is wrong, and keeps the email', async () => {
    const page = await dashboard.open('/sign-in', { as: null });
    await enter(page, 'nobody@example.com', 'wrong password');
    await page.getByRole('alert').getByText('Invalid email or password.').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('nobody@example.com');
  });

  test('asks for the second factor, and takes a code or a recovery code', async () => {
    const admin = await dashboard.backoffice.service.signIn('admin');
    const { app, recoveryCodes } = await enrolApp(admin);
    const page = await dashboard.open('/sign-in', { as: null });
    await enter(page, admin.email);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code').fill(app.code());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    const other = await dashboard.open('/sign-in', { as: null });
    await enter(other, admin.email);
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('a session that ends elsewhere leads to the sign-in, and back', async () => {
    const admin = await dashboard.backoffice.service.signIn('admin');
    const page = await dashboard.open('/conversations', { as: admin, expected: [401] });
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    await dashboard.backoffice.superadmin.client.call('sessions.revoke', { admin_id: admin.id });
    await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
    await enter(page, admin.email);
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
  });
});

test.each(['light', 'dark'] as const)('the sign-in is accessible in the %s theme', async (colorScheme) => {
  const page = await dashboard.open('/sign-in', { as: null, colorScheme });
  await page.getByRole('heading').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
});
