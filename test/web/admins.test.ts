import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { rolesHelp } from '../../src/contract/roles.ts';
import { enrolApp, statusWith } from '../support/here/accounts.ts';
import { password, type SignedIn } from '../support/here.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { choose, dialog, expectReason, fail, filterBy, row, seen, submit, undo } from './steps.ts';

/** Strict roles, which have more to refuse. */
const dashboard = webHere({ BACKOFFICE_STRICT_ROLES: '1' });
let karim: SignedIn;

beforeAll(async () => {
  karim = await dashboard.backoffice.service.signIn('admin', 'karim@example.com');
});

/** Opens the menu of a row, and returns its entry. */
async function entryOf(page: Page, name: string, label: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  return page.getByRole('menuitem', { name: label });
}

test('a superadmin changes an admin beside a colleague, deactivates it with undo, and deletes it', async () => {
  const { client } = dashboard.backoffice.superadmin;
  const { id } = await dashboard.backoffice.service.signIn('user', 'mei@example.com');
  const page = await dashboard.open('/admins', { expected: [409, 500] });
  const mei = row(page, 'mei@example.com');
  await mei.getByRole('link').click();
  const edit = dialog(page, 'Edit mei@example.com');
  await edit.getByText(rolesHelp).waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await edit.getByLabel('Role').click();
  await page.getByRole('listbox').getByRole('option', { name: 'Admin', exact: true }).click();
  await client.call('admins.update', { id, role: 'superadmin' });
  // Another error does not make what a colleague did known.
  await fail(page, '**/api/admin/admins', 'The database is unavailable.');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('The database is unavailable.').waitFor();
  await page.unroute('**/api/admin/admins');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('Changed meanwhile: role is now superadmin.').waitFor();
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'hidden' });
  await mei.getByText('Admin', { exact: true }).waitFor();

  await choose(page, 'Actions for mei@example.com', 'Deactivate');
  await mei.getByText('Inactive').waitFor();
  await undo(page, 'mei@example.com was deactivated');
  await page.getByText('mei@example.com is active again, and has to sign in.').waitFor();
  await mei.getByText('Active', { exact: true }).waitFor();

  const other = await dashboard.backoffice.service.signIn('superadmin', 'ada@example.com');
  await page.getByRole('button', { name: '1 new' }).click();
  await choose(page, 'Actions for ada@example.com', 'Delete');
  const question = dialog(page, 'Delete ada@example.com?');
  const confirm = question.getByRole('button', { name: 'Delete admin' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await submit(question, { 'Type ada@example.com to confirm': 'ada@example.com' }, 'Delete admin');
  await row(page, 'ada@example.com').waitFor({ state: 'hidden' });
  expect(await statusWith(dashboard.backoffice.service, other.cookie)).toBe(401);
});

test('one changes oneself although what is read afterwards fails', async () => {
  const me = await dashboard.backoffice.service.signIn('superadmin', 'nia@example.com');
  const page = await dashboard.open(`/admins?edit=${me.id}`, { as: me, expected: [500] });
  const edit = dialog(page, 'Edit nia@example.com');
  await edit.waitFor();
  await fail(page, '**/api/admin/session?*', 'Failed to read the session.');
  await submit(edit, { Name: 'Nia' }, 'Save');
  await page.getByText('nia@example.com was changed.').waitFor();
  await edit.waitFor({ state: 'hidden' });
});

test('filters, search and order are in the address, and work in a new tab', async () => {
  const { service, superadmin } = dashboard.backoffice;
  const ben = await service.signIn('user', 'ben@example.com');
  await superadmin.client.call('admins.changeActivity', { id: ben.id, is_active: 0 });
  const page = await dashboard.open('/admins');
  await filterBy(page, 'Role', 'User');
  await filterBy(page, 'Active', 'Not active');
  await page.getByText('1 admin', { exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click();
  await page.getByRole('searchbox').fill('ben');
  await expect.poll(() => new URL(page.url()).search).toBe('?role=user&is_active=0&sort=-created_at&q=ben');
  await page.goto(page.url());
  await row(page, 'ben@example.com').waitFor();

  // The head stays where it is seen.
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.goto(`${service.url}/admins`);
  await row(page, 'ben@example.com').scrollIntoViewIfNeeded();
  await seen(page.getByRole('columnheader', { name: 'Created' }));
});

test('an invitation is passed on as a link, replaced and revoked', async () => {
  const page = await dashboard.open('/admins?dialog=invite', { expected: [400] });
  const invite = dialog(page, 'Invite');
  await submit(invite, { 'E-mail': 'not an address' }, 'Create link');
  await invite.getByText('must be an e-mail address').waitFor();
  await submit(invite, { 'E-mail': 'new@example.com' }, 'Create link');
  const link = dialog(page, 'Invitation for new@example.com');
  const takeLink = async () => {
    const shown = await link.getByRole('figure', { name: 'Link' }).locator('code').textContent();
    await link.getByRole('button', { name: 'Copy' }).click();
    await link.getByRole('button', { name: 'Done' }).click();
    return shown;
  };
  const first = await takeLink();
  expect(first).toContain('/invitation#token=');
  const invited = page.getByRole('grid', { name: 'Invitations' });
  await invited.getByText('new@example.com').waitFor();
  await choose(page, 'Actions for new@example.com', 'Make a new link');
  expect(await takeLink()).not.toBe(first);
  await choose(page, 'Actions for new@example.com', 'Revoke');
  const revoke = dialog(page, 'Revoke the invitation of new@example.com?');
  await revoke.getByRole('button', { name: 'Revoke' }).click();
  await invited.waitFor({ state: 'hidden' });
});

test('a superadmin resets the second factor of an admin who has lost it', async () => {
  await enrolApp(karim);
  const page = await dashboard.open('/admins?q=karim');
  await row(page, 'karim@example.com').getByText('On', { exact: true }).waitFor();
  await choose(page, 'Actions for karim@example.com', 'Reset second factor');
  const reset = dialog(page, 'Reset the second factor of karim@example.com?');
  await submit(reset, { 'Your own password': password }, 'Reset');
  await row(page, 'karim@example.com').getByText('Off', { exact: true }).waitFor();
  expect(await statusWith(dashboard.backoffice.service, karim.cookie)).toBe(401);
});

test('what one may not do says why', async () => {
  const { service, superadmin } = dashboard.backoffice;
  const admin = await service.signIn('admin');
  const page = await dashboard.open('/admins', { as: admin });
  await row(page, superadmin.email).getByRole('link').click();
  await dialog(page).getByText('Their role is above yours.').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  const own = await entryOf(page, admin.email, 'Delete');
  await own.getByText('You cannot delete your own account.').waitFor();

  const user = await dashboard.open('/admins', { as: await service.signIn('user') });
  await row(user, superadmin.email).waitFor();
  await expect.poll(() => accessibilityProblems(user)).toEqual([]);
  const invite = user.getByRole('button', { name: 'Invite' });
  await expectReason(invite, 'Only admins and superadmins may do this.');
  expect(await user.getByRole('columnheader', { name: 'Last sign-in' }).count()).toBe(0);
  // The address shows nobody a dialog beyond their rights.
  for (const name of ['create', 'invite']) {
    await user.goto(`${service.url}/admins?dialog=${name}&edit=nobody`);
    await dialog(user).getByText('There is no such admin').waitFor();
    expect(await dialog(user).count()).toBe(1);
  }
});

test('the sessions of others are found and ended, one and all of a person', async () => {
  const { service } = dashboard.backoffice;
  const users = [await service.signIn('user', 'zoe@example.com'), await service.signIn('user')] as const;
  const page = await dashboard.open('/sessions');
  await filterBy(page, 'Role', 'User');
  await expect.poll(() => new URL(page.url()).search).toBe('?role=user');
  await page.getByRole('searchbox').fill('zoe');
  await page.getByText('1 session', { exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?role=user&q=zoe');
  await row(page, 'zoe@example.com').getByText('Node.js').waitFor();
  await choose(page, 'Actions for zoe@example.com, Node.js', 'End session');
  const question = dialog(page, 'End a session of zoe@example.com?');
  await question.getByRole('button', { name: 'End session' }).click();
  await page.getByText('No session matches').waitFor();
  expect(await statusWith(service, users[0].cookie)).toBe(401);
  await page.goto(`${service.url}/sessions?q=${users[1].email}`);
  await choose(page, `Actions for ${users[1].email}, Node.js`, 'End all');
  const all = dialog(page, `End all sessions of ${users[1].email}?`);
  await all.getByRole('button', { name: 'End all sessions' }).click();
  await page.getByText('No session matches').waitFor();
  expect(await statusWith(service, users[1].cookie)).toBe(401);
});
