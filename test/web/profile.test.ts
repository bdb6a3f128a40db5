import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { AuthenticatorApp, statusWith } from '../support/here/accounts.ts';
import { openSession, password, type SignedIn } from '../support/here.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { choose, dialog, fail, live, row, save, signIn, submit } from './steps.ts';

const dashboard = webHere();
let me: SignedIn;

beforeEach(async () => {
  me = await dashboard.backoffice.service.signIn('admin');
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a person changes the name and the password, which ends the other sessions', async () => {
  const { service, superadmin, sql } = dashboard.backoffice;
  const elsewhere = await openSession(service.url, me.email);
  await sql('update admins set generated_password_hash = password_hash where id = $1', [me.id]);
  const page = await dashboard.open('/profile', { as: me, expected: [400, 409] });
  await button(page, 'Edit account').click();
  const account = dialog(page, 'Edit account');
  await submit(account, { 'E-mail': superadmin.email }, 'Save');
  await account.getByText('An admin with this email already exists.').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await submit(account, { 'E-mail': me.email, Name: 'Karim' }, 'Save');
  await page.getByRole('button', { name: 'Karim' }).waitFor();

  const reminder = page.getByText('You still have the generated password.');
  await reminder.getByRole('link', { name: 'Change it' }).click();
  const change = dialog(page, 'Change password');
  await submit(change, { 'New password': 'short' }, 'Change password');
  await change.getByText('Password must be at least 6 characters.').waitFor();
  await submit(change, { 'New password': 'staple battery' }, 'Change password');
  await page.getByText('Password changed. Your other sessions ended.').waitFor();
  await reminder.waitFor({ state: 'hidden' });
  expect(await statusWith(service, elsewhere)).toBe(401);
  expect(await statusWith(service, me.cookie)).toBe(200);
  await openSession(service.url, me.email, 'staple battery');
});

/** Adds an authenticator app on the page. */
async function addApp(page: Page): Promise<void> {
  await button(page, 'Add authenticator app').click();
  const start = dialog(page, 'Add an authenticator app');
  const answered = page.waitForResponse('**/api/admin/factors');
  await submit(start, { Name: 'Phone', 'Your password': password }, 'Continue');
  const { secret } = (await (await answered).json()) as { secret: string };
  const scan = dialog(page, 'Scan the code with the app');
  await scan.getByRole('img', { name: 'QR code' }).waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  expect(await scan.getByLabel('Code that the app shows').inputValue()).toBe('');
  const app = new AuthenticatorApp(secret);
  await submit(scan, { 'Code that the app shows': app.code() }, 'Add');
}

test('a person adds an app, keeps the recovery codes, replaces them, and removes the app', async () => {
  const page = await dashboard.open('/profile', { as: me });
  await addApp(page);
  const codes = dialog(page, 'Your recovery codes');
  await expect.poll(async () => (await codes.locator('code').textContent())?.split('\n').length).toBe(10);
  const question = dialog(page, 'Close without a copy?');
  const leaving = [
    () => codes.getByRole('button', { name: 'Done' }).click(),
    () => page.goBack(),
    () => page.keyboard.press('Escape'),
  ];
  for (const leave of leaving) {
    await leave();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
  }
  expect((await save(page, 'Download')).name).toBe('backoffice-recovery-codes.txt');
  await codes.getByRole('button', { name: 'Done' }).click();
  await row(page, 'Authenticator app').getByText('Phone').waitFor();
  await page.getByText('10 recovery codes left').waitFor();

  await button(page, 'Replace recovery codes').click();
  const replace = dialog(page, 'Replace recovery codes');
  await replace.getByLabel('Your password').fill(password);
  await replace.getByRole('button', { name: 'Replace', exact: true }).click();
  await codes.getByRole('button', { name: 'Copy' }).click();
  await codes.getByRole('button', { name: 'Copied' }).waitFor();
  await codes.getByRole('button', { name: 'Done' }).click();

  await choose(page, 'Actions for Phone', 'Remove');
  const remove = dialog(page, 'Remove Phone?');
  await submit(remove, { 'Your password': password }, 'Remove');
  await page.getByText('You have none.').waitFor();
  expect(await me.client.call('factors.list')).toMatchObject({ factors: [], recovery_codes_left: 0 });
});

test('recovery codes are shown although what is read after them fails', async () => {
  const user = await dashboard.backoffice.service.signIn('user');
  const page = await dashboard.open('/profile', { as: user, expected: [500] });
  await live(page);
  await fail(page, '**/api/admin/session?*', 'Failed to read the session.');
  await addApp(page);
  const codes = dialog(page, 'Your recovery codes');
  await codes.getByRole('button', { name: 'Copy' }).click();
  await codes.getByRole('button', { name: 'Done' }).click();
  await row(page, 'Authenticator app').getByText('Phone').waitFor();
});

test('an account that needs a factor sees nothing else before it has one', async () => {
  const { client } = dashboard.backoffice.superadmin;
  await client.call('settings.update', { key: 'sign_in_second_factor', value: '{"user":"required"}' });
  const user = await dashboard.backoffice.service.signIn('user');
  const page = await dashboard.open('/issues', { as: user });
  await page.getByText('Set up a second factor to go on').waitFor();
  await expect
    .poll(() => page.getByRole('navigation').getByRole('link').allTextContents())
    .toEqual(['Profile']);
  await addApp(page);
  await dialog(page, 'Your recovery codes').getByRole('button', { name: 'Copy' }).click();
  await dialog(page, 'Your recovery codes').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Issues' }).click();
  await live(page);
});

test('a person ends one of the own sessions, and all others', async () => {
  const { service } = dashboard.backoffice;
  for (let session = 0; session < 3; session += 1) await openSession(service.url, me.email);
  const page = await dashboard.open('/profile', { as: me });
  const rows = page.getByRole('grid', { name: 'Your sessions' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(5);
  await rows.filter({ hasNotText: 'This session' }).last().getByRole('button').click();
  await page.getByRole('menuitem', { name: 'End session' }).click();
  await expect.poll(() => rows.count()).toBe(4);
  await button(page, 'End all others').click();
  await dialog(page, 'End 2 other sessions?').getByRole('button', { name: 'End other sessions' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  expect(await statusWith(service, me.cookie)).toBe(200);
});

/** Moves the end of the session, as if time had passed. Writing `sess` has the service read it again. */
const moveSession = (change: string) =>
  dashboard.backoffice.sql(`update sessions set ${change}, sess = sess where admin_id = $1`, [me.id]);

const lastUsed = async () => {
  const idle = 'select extract(epoch from now() - last_seen_at) as seconds from sessions where admin_id = $1';
  const [row] = await dashboard.backoffice.sql(idle, [me.id]);
  return Number(row?.seconds);
};

test('a session that cannot last longer is announced; its end leads to the sign-in and back, with what was typed', async () => {
  const page = await dashboard.open('/profile?dialog=account', { as: me, expected: [401] });
  const account = dialog(page, 'Edit account');
  await account.getByLabel('Name').fill('Half a na');
  await moveSession(`expire = now() + interval '110 seconds'`);
  await page.evaluate(`dispatchEvent(new Event('focus'))`);
  await page
    .getByRole('region', { name: 'End of the session' })
    .getByText('A session cannot last longer.')
    .waitFor();

  await dashboard.backoffice.superadmin.client.call('sessions.revoke', { admin_id: me.id });
  await page.getByText('Your session has ended. Sign in to go on where you were.').waitFor();
  await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe(me.email);
  await signIn(page, me.email);
  await account.getByText('Your unsaved text was kept.').waitFor();
  expect(await account.getByLabel('Name').inputValue()).toBe('Half a na');
  await account.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Account saved.').waitFor();
});

test('a person adds a passkey, and signs in with it', async () => {
  const page = await dashboard.open('/sign-in', { as: null });
  const debug = await page.context().newCDPSession(page);
  await debug.send('WebAuthn.enable');
  await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { port } = new URL(dashboard.backoffice.service.url);
  const startOver = async () => {
    await page.goto(`http://localhost:${port}/sign-in?back=/profile`);
    await signIn(page, me.email);
  };
  await startOver();
  await button(page, 'Add passkey').click();
  const add = dialog(page, 'Add a passkey');
  await submit(add, { Name: 'Laptop', 'Your password': password }, 'Continue');
  await dialog(page, 'Your recovery codes').getByRole('button', { name: 'Download' }).waitFor();
  await page.reload();
  const passkey = row(page, 'Laptop');
  await passkey.getByText('Not yet').waitFor();
  await me.client.call('session.delete');
  await page.context().clearCookies();
  await startOver();
  await button(page, 'Use the passkey').click();
  await passkey.getByText('just now').last().waitFor();
});

test('the end of a session is announced in each tab, and one tab prolongs it for all', async () => {
  const page = await dashboard.open('/profile', { as: me });
  const context = page.context();
  await context.clock.install();
  await page.reload();
  const other = await context.newPage();
  await other.goto(`${dashboard.backoffice.service.url}/admins`);
  await other.getByText(me.email).first().waitFor();
  for (const tab of [page, other]) await live(tab);

  // What the page loads by itself, while nobody is there, does not prolong the session.
  await context.clock.fastForward('02:00');
  await moveSession(`last_seen_at = now() - interval '28 minutes 5 seconds'`);
  const request = other.waitForRequest('**/api/admin/admins?*');
  await dashboard.backoffice.service.signIn('user');
  expect((await request).headers().prefer).toBe('handling=strict, background');
  await (await request).response();
  expect(await lastUsed()).toBeGreaterThan(28 * 60);

  await context.clock.fastForward('26:30');
  const notice = (tab: Page) => tab.getByRole('region', { name: 'End of the session' });
  for (const tab of [page, other]) await notice(tab).getByText('You will be signed out at').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await notice(page).getByRole('button', { name: 'Stay signed in' }).click();
  for (const tab of [page, other]) await notice(tab).waitFor({ state: 'hidden' });
  await expect.poll(lastUsed).toBeLessThan(60);
});
