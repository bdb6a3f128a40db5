import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client/client.ts';
import { type Api, apiAs, atOnce, errorResponse, success } from '../../support/here/requests.ts';
import { instanceHere, openSession } from '../../support/here.ts';
import { mailHere, publicUrl } from '../../support/receivers.ts';

const own = mailHere();

const password = 'battery staple';
const notValid = errorResponse(
  400,
  'This invitation is not valid: it was used, revoked or replaced, or is too old. Ask for a new one.',
);

let people = 0;
const newEmail = () => `invited-${++people}@example.com`;

const accept = (body: object) => apiAs(own.service.url).post('/invitations/accept', body);

/** Invites someone. Returns the token that arrives in the mail. */
async function invite(email: string, role = 'user', api: Api = own.api): Promise<string> {
  expect(await api.post('/invitations', { email, role })).toMatchObject({
    status: 200,
    body: { link: null },
  });
  return tokenIn((await own.mailServer.take(email)).text);
}

function tokenIn(text: string): string {
  return new URLSearchParams(/#(\S+)/.exec(text)?.[1]).get('token') ?? '';
}

async function openInvitations(api: Api = own.api): Promise<{ id: number; email: string; role: string }[]> {
  return ((await api.get('/invitations')).body as { invitations: never }).invitations;
}

describe('an invitation', () => {
  test('arrives by mail, is listed, creates the account, and then is gone', async () => {
    const email = newEmail();
    const answer = await own.api.post('/invitations', { email: ` ${email.toUpperCase()} `, role: 'user' });
    const mail = await own.mailServer.take(email);
    expect(mail.header('Subject')).toBe('Your invitation to Backoffice');
    expect(mail.text).toContain(`${own.superadmin.email} invites you to Backoffice, as a user.`);
    const link = /https:\S+#\S+/.exec(mail.text)?.[0] ?? '';
    expect(link.startsWith(`${publicUrl}/invitation#`)).toBe(true);
    expect(mail.html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
    const [invitation] = await openInvitations();
    expect(invitation).toMatchObject({ email, role: 'user', invited_by: own.superadmin.email });
    expect(answer).toEqual({ status: 200, body: { success: true, invitation, link: null } });

    const token = tokenIn(mail.text);
    const accepted = await accept({ token, password, username: 'Grace' });
    expect(accepted).toEqual({
      status: 200,
      body: {
        success: true,
        admin: { id: expect.stringMatching(/^admin_/), email, username: 'Grace', role: 'user' },
      },
    });
    await openSession(own.service.url, email, password);
    expect(await openInvitations()).toEqual([]);
    expect(await accept({ token, password })).toEqual(notValid);
  });

  test('creates one account, however often it is accepted at once', async () => {
    const email = newEmail();
    const token = await invite(email);
    const answers = await atOnce(3, () => accept({ token, password }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await own.sql('select username from admins where email = $1', [email])).toEqual([
      { username: email.split('@')[0] },
    ]);
  });

  test('is stored as a hash, and no event or audit record has its token', async () => {
    const token = await invite(newEmail());
    const [dump] = await own.sql<{ text: string }>(
      `select (select json_agg(i)::text from invitations i)
         || (select json_agg(e)::text from events e) || (select json_agg(a)::text from audit_records a) as text`,
    );
    expect(dump?.text).not.toContain(token);
    expect(dump?.text).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  test.each(['revoked', 'replaced', 'too old'])('does not work once it is %s', async (how) => {
    const email = newEmail();
    const token = await invite(email);
    const { id } = (await openInvitations()).find((each) => each.email === email) ?? { id: 0 };
    if (how === 'revoked') expect(await own.api.delete(`/invitations?id=${id}`)).toEqual(success);
    if (how === 'replaced') await invite(email, 'admin');
    if (how === 'too old') await own.sql('update invitations set expires_at = now() where id = $1', [id]);
    expect(await accept({ token, password })).toEqual(notValid);
    const roles = (await openInvitations()).filter((each) => each.email === email).map(({ role }) => role);
    expect(roles).toEqual(how === 'replaced' ? ['admin'] : []);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['is deactivated', (id) => own.api.put('/admins/activity', { id, is_active: 0 })],
    ['becomes a user', (id) => own.api.put('/admins', { id, role: 'user' })],
    ['is deleted', (id) => own.api.delete(`/admins?id=${id}`)],
  ])('ends when its sender %s', async (_what, lose) => {
    const sender = await own.service.signIn('admin');
    const token = await invite(newEmail(), 'user', apiAs(own.service.url, sender));
    await lose(sender.id);
    expect(await accept({ token, password })).toEqual(notValid);
  });

  test('to the e-mail of an admin is refused, before and after it is sent', async () => {
    const taken = errorResponse(409, 'An admin with this email already exists.');
    const email = newEmail();
    const token = await invite(email);
    await own.superadmin.client.call('admins.create', { email, password });
    expect(await accept({ token, password })).toEqual(taken);
    expect(await own.api.post('/invitations', { email, role: 'user' })).toEqual(taken);
  });
});

describe('without a mail server, in strict mode', () => {
  const strict = instanceHere(own, { BACKOFFICE_STRICT_ROLES: '1' });

  test('the answer has the link', async () => {
    const email = newEmail();
    const { body } = await apiAs(strict.url, own.superadmin).post('/invitations', { email, role: 'admin' });
    const { link } = body as { link: string };
    expect(link).toMatch(/^http:\/\/localhost:3000\/invitation#token=[\w-]{43}&email=invited-/);
    expect((await accept({ token: tokenIn(link), password })).status).toBe(200);
  });

  test('only a superadmin invites a superadmin, and replaces or revokes that', async () => {
    const admin = apiAs(strict.url, await own.service.signIn('admin'));
    const email = newEmail();
    const superadmin = { email, role: 'superadmin' };
    const refused = errorResponse(403, 'Only superadmin can create a superadmin.');
    expect(await admin.post('/invitations', superadmin)).toEqual(refused);
    expect((await apiAs(strict.url, own.superadmin).post('/invitations', superadmin)).status).toBe(200);
    const { id } = (await openInvitations()).find((each) => each.email === email) ?? { id: 0 };
    const kept = errorResponse(403, 'Only superadmin can replace or revoke the invitation of a superadmin.');
    expect(await admin.post('/invitations', { email, role: 'user' })).toEqual(kept);
    expect(await admin.delete(`/invitations?id=${id}`)).toEqual(kept);
    expect(await openInvitations()).toContainEqual(expect.objectContaining({ email, role: 'superadmin' }));
  });

  test('the invitation of a superadmin ends when its sender is one no longer', async () => {
    const sender = await own.service.signIn('superadmin');
    const body = { email: newEmail(), role: 'superadmin' };
    const answer = await apiAs(strict.url, sender).post('/invitations', body);
    const { link } = answer.body as { link: string };
    await own.sql(`update admins set role = 'admin' where id = $1`, [sender.id]);
    const accepted = await apiAs(strict.url).post('/invitations/accept', { token: tokenIn(link), password });
    expect(accepted).toEqual(notValid);
  });
});

test('an account is told of a new token, which would outlast a stolen session', async () => {
  const ada = await own.service.signIn('admin');
  await ada.client.call('tokens.create', { name: 'deploy' });
  const mail = await own.mailServer.take(ada.email);
  expect(mail.header('Subject')).toBe('Your Backoffice account: the API token “deploy” was created');
  expect(mail.text).toContain(ada.email);
  expect(mail.text).toContain('127.0.0.1');
});

test('an account is told of the token of a device that it let in', async () => {
  const ada = await own.service.signIn('admin');
  const device = createClient({ baseUrl: own.service.url });
  const { device_code, user_code } = await device.call('device.create', { name: 'laptop' });
  await ada.client.call('device.approve', { user_code });
  await device.call('device.token', { device_code });
  const mail = await own.mailServer.take(ada.email);
  expect(mail.header('Subject')).toBe('Your Backoffice account: the API token “laptop” was created');
  expect(mail.text).toContain(ada.email);
});
