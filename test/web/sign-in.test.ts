import { expect, test } from 'vitest';
import { enrolApp } from '../support/here/accounts.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { choose, signIn, submit } from './steps.ts';

const dashboard = webHere();

test('the page says what is wrong with a sign-in, leads back to where one wanted to go, and signing out to the sign-in', async () => {
  const page = await dashboard.open('/issues?status=Open', { as: null });
  await page.getByRole('heading').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await signIn(page, 'nobody@example.com', 'wrong password');
  await page.getByRole('alert').getByText('Invalid email or password.').waitFor();
  await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe('nobody@example.com');
  const { email } = dashboard.backoffice.superadmin;
  await signIn(page, email);
  await page.getByRole('heading', { name: 'Issues' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?status=Open');
  await choose(page, email.split('@')[0] ?? '', 'Sign out');
  await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
});

test('an e-mail is sent as it was typed, with letters of any language', async () => {
  const { service } = dashboard.backoffice;
  const page = await dashboard.open('/sign-in', { as: null });
  for (const email of ['ada@m\u00fcnchen.example', 'j\u00f6rg@example.org']) {
    await service.signIn('admin', email);
    await page.context().clearCookies();
    await page.goto(`${service.url}/sign-in`);
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/session'),
    );
    await signIn(page, email);
    expect((await sent).postDataJSON()).toMatchObject({ email });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }
});

test('who forgot their password reads at once what to do without mail', async () => {
  const page = await dashboard.open('/sign-in', { as: null });
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByText('This service sends no mails').waitFor();
  await page.getByText('backoffice admins reset-link').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Back to the sign-in' }).click();
  await page.getByRole('heading', { name: 'Sign in to Backoffice' }).waitFor();
});

test('a sign-in never leads to another site', async () => {
  const { service, superadmin } = dashboard.backoffice;
  const page = await dashboard.open('/healthz', { as: null });
  for (const back of ['//example.com/', '/\\example.com', 'https://example.com/']) {
    await page.context().clearCookies();
    await page.goto(`${service.url}/sign-in?back=${encodeURIComponent(back)}`);
    await signIn(page, superadmin.email);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).origin, back).toBe(service.url);
  }
});

test('a sign-in asks for the second factor, and takes a code or a recovery code', async () => {
  const admin = await dashboard.backoffice.service.signIn('admin');
  const { app, recoveryCodes } = await enrolApp(admin);
  const page = await dashboard.open('/sign-in', { as: null, colorScheme: 'dark' });
  await page.getByRole('heading').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await signIn(page, admin.email);
  await submit(page, { Code: '000000' }, 'Confirm');
  await page.getByRole('alert').waitFor();
  await submit(page, { Code: app.code() }, 'Confirm');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await page.context().clearCookies();
  await page.goto(`${dashboard.backoffice.service.url}/sign-in`);
  await signIn(page, admin.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await submit(page, { 'Recovery code': recoveryCodes[0] ?? '' }, 'Confirm');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a person approves a device, with the rights that were chosen, and denies another', async () => {
  const { client } = dashboard.backoffice.superadmin;
  const asked = await client.call('device.create', { name: 'laptop' });
  expect(new URL(asked.verification_uri).pathname).toBe('/device');
  const admin = await dashboard.backoffice.service.signIn('admin');
  const page = await dashboard.open('/device', { as: admin, expected: [400] });
  await submit(page, { Code: 'ABCD-EFGH' }, 'Continue');
  await page.getByRole('alert').getByText('There is no device with this code.').waitFor();
  await submit(page, { Code: asked.user_code.toLowerCase() }, 'Continue');
  await page.getByText('laptop').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await page.getByLabel('Read only').check();
  // The key that leaves a form answers nothing.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'The device was approved' }).waitFor();
  const { device_code } = asked;
  expect(await client.call('device.token', { device_code })).toMatchObject({ token: expect.any(String) });
  const [given] = await dashboard.backoffice.sql('select owner_id, role, read_only from api_tokens');
  expect(given).toEqual({ owner_id: admin.id, role: 'admin', read_only: true });

  const stranger = await client.call('device.create', { name: 'stranger' });
  await page.goto(`${dashboard.backoffice.service.url}/device?code=${stranger.user_code}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'The device was denied' }).waitFor();
  const refused = client.call('device.token', { device_code: stranger.device_code });
  await expect(refused).rejects.toThrow('access_denied');
});
