import { describe, expect, test } from 'vitest';
import { enrolApp } from '../support/here/accounts.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { signIn } from './steps.ts';

const dashboard = webHere();

describe('the page of the sign-in', () => {
  test('says what is wrong with a sign-in, leads back to where one wanted to go, and signing out to the sign-in', async () => {
    const page = await dashboard.open('/issues?status=Open', { as: null });
    await signIn(page, 'nobody@example.com', 'wrong password');
    await page.getByRole('alert').getByText('Invalid email or password.').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('nobody@example.com');
    await signIn(page, dashboard.backoffice.superadmin.email);
    await page.getByRole('heading', { name: 'Issues' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?status=Open');
    await page
      .getByRole('button', { name: dashboard.backoffice.superadmin.email.split('@')[0] ?? '' })
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
  });

  test.each(['//example.com/', '/\\example.com', 'https://example.com/'])(
    'a sign-in never leads to another site: %s',
    async (back) => {
      const page = await dashboard.open(`/sign-in?back=${encodeURIComponent(back)}`, { as: null });
      await signIn(page, dashboard.backoffice.superadmin.email);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(new URL(page.url()).origin).toBe(dashboard.backoffice.service.url);
    },
  );

  test('a sign-in asks for the second factor, and takes a code or a recovery code', async () => {
    const admin = await dashboard.backoffice.service.signIn('admin');
    const { app, recoveryCodes } = await enrolApp(admin);
    const page = await dashboard.open('/sign-in', { as: null });
    await signIn(page, admin.email);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code').fill(app.code());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    const other = await dashboard.open('/sign-in', { as: null });
    await signIn(other, admin.email);
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test.each(['light', 'dark'] as const)('the sign-in is accessible in the %s theme', async (colorScheme) => {
    const page = await dashboard.open('/sign-in', { as: null, colorScheme });
    await page.getByRole('heading').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  });
});

describe('the page of a device', () => {
  /** Asks for access, as a command line would. */
  const askForAccess = (name: string) =>
    dashboard.backoffice.superadmin.client.call('device.create', { name });

  const takeToken = (device_code: string) =>
    dashboard.backoffice.service.fetch('/api/admin/device/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ device_code }),
    });

  test('a person approves a device, with the rights that were chosen', async () => {
    const asked = await askForAccess('laptop');
    expect(new URL(asked.verification_uri).pathname).toBe('/device');
    const admin = await dashboard.backoffice.service.signIn('admin');
    const page = await dashboard.open('/device', { as: admin, expected: [400] });
    await page.getByLabel('Code').fill('ABCD-EFGH');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('There is no device with this code.').waitFor();
    await page.getByLabel('Code').fill(asked.user_code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('laptop').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Read only').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'The device was approved' }).waitFor();
    const answer = await takeToken(asked.device_code);
    const { token } = (await answer.json()) as { token: string };
    const [stored] = await dashboard.backoffice.sql(
      'select role, read_only from api_tokens where owner_id = $1',
      [admin.id],
    );
    expect(stored).toEqual({ role: 'admin', read_only: true });
    const whoami = await dashboard.backoffice.service.fetch('/api/admin/session', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await whoami.json()).toMatchObject({ admin: { id: admin.id } });
  });

  test('a person denies a device', async () => {
    const asked = await askForAccess('stranger');
    const page = await dashboard.open(`/device?code=${asked.user_code}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'The device was denied' }).waitFor();
    expect(await (await takeToken(asked.device_code)).json()).toEqual({ error: 'access_denied' });
  });
});
