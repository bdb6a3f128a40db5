import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { createResetLink } from '../../../src/services/sign-in/password-resets.ts';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import {
  apiAs,
  ask,
  at,
  atOnce,
  bearer,
  countByStatus,
  errorResponse,
  errorResponseLike,
  json,
  quickRequest,
  success,
} from '../../support/here/requests.ts';
import {
  clientWith,
  instanceHere,
  openSession,
  type SignedIn,
  startInstance,
  password as theOld,
} from '../../support/here.ts';
import { openQueryTap } from '../../support/postgres/control.ts';
import { mailHere, publicUrl } from '../../support/receivers.ts';

const own = mailHere();
const password = 'battery staple';
const accepted = { status: 202, body: { success: true } };
const notValid = errorResponse(
  400,
  'This link is not valid: it was used or replaced, or is too old. Ask for a new one.',
);
let admin: SignedIn;

/** Resolves when every job of mails and links is done. */
const untilIdle = () =>
  expect
    .poll(() => own.sql(`select from graphile_worker.jobs where task_identifier like 'send_%'`))
    .toEqual([]);

beforeEach(async () => {
  await own.sql('delete from rate_limits');
  await untilIdle();
  own.mailServer.mails.length = 0;
  admin = await own.service.signIn('admin');
});

const tokenIn = (text: string) => new URLSearchParams(/#(\S+)/.exec(text)?.[1]).get('token') ?? '';

const askFor = (email: string) => apiAs(own.service.url).post('/password-reset', { email });
const confirm = (body: object) => apiAs(own.service.url).post('/password-reset/confirm', body);

/** Makes a link as an operator does, without a request. Returns its token. */
const makeLink = async () => tokenIn(await createResetLink(own.service.services, admin, 'tests'));

/** Expects that a token is in no row of a link, an event or an audit record. */
async function expectNowhere(token: string): Promise<void> {
  const rows = await own.sql<{ text: string }>(
    `select r::text as text from password_resets r union all select i::text from invitations i
     union all select e::text from events e union all select a::text from audit_records a`,
  );
  for (const hidden of [token, Buffer.from(token, 'base64url').toString('hex')])
    expect(rows.filter(({ text }) => text.includes(hidden))).toEqual([]);
}

describe('a link for a new password', () => {
  test('arrives by mail, is stored as a hash, sets the password once, and ends the sessions', async () => {
    expect(await askFor(admin.email)).toEqual(accepted);
    const mail = await own.mailServer.take(admin.email);
    expect(mail.text).toContain(`${publicUrl}/reset-password#token=`);
    const token = tokenIn(mail.text);
    await expectNowhere(token);
    const { audit } = await own.superadmin.client.call('audit.list', { subject_id: admin.id });
    const requested = { event: 'password_reset.requested', actor_kind: 'nobody', address: '127.0.0.1' };
    expect(audit).toContainEqual(expect.objectContaining(requested));
    expect(await statusWith(own.service, admin.cookie)).toBe(200);
    expect(await confirm({ token, password })).toEqual(success);
    expect(await statusWith(own.service, admin.cookie)).toBe(401);
    expect((await signIn(own.service, { email: admin.email, password: theOld })).status).toBe(401);
    await openSession(own.service.url, admin.email, password);
    expect(await confirm({ token, password: 'another staple' })).toEqual(notValid);

    const notice = await own.mailServer.take(admin.email);
    expect(notice.header('Subject')).toBe('Your Backoffice account: the password was reset with a link');
    expect(notice.text).toContain('127.0.0.1');
  });

  test('sets one password, however often it is used at once', async () => {
    const token = await makeLink();
    const answers = await atOnce(3, (index) => confirm({ token, password: `${password} ${index}` }));
    expect(countByStatus(answers)).toMatchObject({ 200: 1 });
    const winner = answers.findIndex(({ status }) => status === 200);
    await openSession(own.service.url, admin.email, `${password} ${winner}`);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['another link is used', async () => confirm({ token: await makeLink(), password })],
    ['the password is changed', (id) => own.api.put('/admins', { id, password })],
    ['the e-mail is changed', (id) => own.api.put('/admins', { id, email: `new-${admin.email}` })],
    ['the account is deactivated', (id) => own.api.put('/admins/activity', { id, is_active: 0 })],
    ['half an hour has passed', () => own.sql(`update password_resets set expires_at = now()`)],
  ])('does not work once %s', async (_what, end) => {
    const token = await makeLink();
    await end(admin.id);
    expect(await confirm({ token, password })).toEqual(notValid);
  });
});

describe('asking for a link', () => {
  test('sends three to an account in a quarter of an hour, and never says so', async () => {
    for (let count = 1; count <= 5; count++) expect(await askFor(admin.email)).toEqual(accepted);
    await untilIdle();
    expect(own.mailServer.mails).toHaveLength(3);
  });

  test('sends twenty from a network in a quarter of an hour', async () => {
    await askFor('first@example.com');
    await own.sql(`update rate_limits set points = 20 where key like 'reset-network:%'`);
    expect(await askFor(admin.email)).toEqual(accepted);
    await untilIdle();
    expect(own.mailServer.mails).toEqual([]);
  });
});

test('the account that a link is asked for makes no difference to what the service does before it answers', async () => {
  const tap = await openQueryTap(own.service.databaseUrl);
  onTestFinished(() => tap.close());
  const tapped = await startInstance(own, { DATABASE_URL: tap.url, SMTP_URL: own.mailServer.url });
  /** Returns the statements of a request, without those that run by themselves. */
  const statementsFor = async (email: string) => {
    tap.reset();
    expect(await apiAs(tapped.url).post('/password-reset', { email })).toEqual(accepted);
    return tap.statements.filter((text) => /start_attempt|end_attempt|add_job|^begin|^commit/i.test(text));
  };
  const inactive = await own.service.signIn('user');
  await own.sql('update admins set is_active = 0 where id = $1', [inactive.id]);
  const unknown = await statementsFor('unknown@example.com');
  expect(unknown).toEqual(
    ['start_attempt', 'end_attempt', 'add_job'].map((name) => expect.stringContaining(name)),
  );
  expect(await statementsFor(admin.email)).toEqual(unknown);
  expect(await statementsFor(inactive.email)).toEqual(unknown);
  await own.mailServer.take(admin.email);
  await untilIdle();
  expect(own.mailServer.mails).toEqual([]);
});

// Without a mail server, and without a key to encrypt the link with.
test.for(['SMTP_URL', 'BACKOFFICE_ENCRYPTION_KEY'])(
  'the account is not looked for without %s: the answer says so',
  async (missing) => {
    const without = await startInstance(own, { SMTP_URL: own.mailServer.url, [missing]: '' });
    const answer = await apiAs(without.url).post('/password-reset', { email: admin.email });
    expect(answer).toEqual(errorResponseLike(501, new RegExp(missing)));
  },
);

const notInvited = errorResponse(
  400,
  'This invitation is not valid: it was used, revoked or replaced, or is too old. Ask for a new one.',
);

let people = 0;
const newEmail = () => `invited-${++people}@example.com`;

const accept = (body: object) => apiAs(own.service.url).post('/invitations/accept', body);

const strict = instanceHere(own, { BACKOFFICE_STRICT_ROLES: '1' });

/** Invites someone on an instance that sends no mail. Returns the token of the link in the answer. */
async function invite(email = newEmail(), role: Role = 'user', sender = own.superadmin): Promise<string> {
  const { link } = await clientWith(strict.url, sender.cookie).call('invitations.create', { email, role });
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/invitation#token=[\w-]{43}&email=invited-/);
  return tokenIn(link ?? '');
}

/** Returns the open invitations, or those of an address. */
const openInvitations = async (email?: string) =>
  (await own.superadmin.client.call('invitations.list')).invitations.filter(
    (each) => email === undefined || each.email === email,
  );

describe('an invitation', () => {
  test('arrives by mail, is listed and stored as a hash, creates the account, and then is gone', async () => {
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
    await expectNowhere(token);
    const id = expect.stringMatching(/^admin_/);
    expect(await accept({ token, password, username: 'Grace' })).toEqual({
      status: 200,
      body: { success: true, admin: { id, email, username: 'Grace', role: 'user' }, signed_in: true },
    });
    await openSession(own.service.url, email, password);
    expect(await openInvitations()).toEqual([]);
    expect(await accept({ token, password })).toEqual(notInvited);
  });

  test('leads to where its sender is signed in, unless BACKOFFICE_PUBLIC_URL or a token says another', async () => {
    const invitedBy = async (url: string, headers: object) => {
      const path = `${url}/api/admin/invitations`;
      const body = JSON.stringify({ email: newEmail(), role: 'user' });
      const options = { method: 'POST', headers: { ...json, host: 'office.example', ...headers } };
      const answer = await text(await quickRequest(path, options, body));
      return new URL(JSON.parse(answer).link).origin;
    };
    const { cookie = '' } = own.superadmin;
    expect(await invitedBy(strict.url, { cookie })).toBe('http://office.example');
    const { secret } = await own.service.createToken('superadmin');
    expect(await invitedBy(strict.url, bearer(secret))).toBe('http://localhost:3000');
    const known = await startInstance(own, { BACKOFFICE_PUBLIC_URL: 'https://known.example' });
    expect(await invitedBy(known.url, { cookie })).toBe('https://known.example');
  });

  test('signs in, and still asks for the second factor that is required', async () => {
    const acceptAt = async (url: string, as: object = {}) => {
      const body = { token: await invite(), password };
      return await ask(at(url), '/api/admin/invitations/accept', { method: 'POST', body, as });
    };
    const first = await acceptAt(own.service.url);
    expect(await statusWith(own.service, first.cookie ?? '')).toBe(200);
    const second = await acceptAt(own.service.url, { cookie: first.cookie ?? '' });
    expect(await statusWith(own.service, first.cookie ?? '')).toBe(401);
    expect(await statusWith(own.service, second.cookie ?? '')).toBe(200);

    await own.api.put('/settings', { key: 'sign_in_second_factor', value: '{"user":"required"}' });
    onTestFinished(async () => void (await own.api.delete('/settings?key=sign_in_second_factor')));
    const mailed = await acceptAt(own.service.url);
    expect(mailed).toMatchObject({ status: 200, body: { signed_in: false }, cookie: undefined });
    const enrolling = await acceptAt(strict.url);
    expect(enrolling).toMatchObject({ status: 200, body: { signed_in: true, limited_to: 'enrolment' } });
    const issues = await ask(own.service, '/api/admin/issues', { as: { cookie: enrolling.cookie ?? '' } });
    expect(issues.status).toBe(403);
  });

  test('creates one account, however often it is accepted at once', async () => {
    const email = newEmail();
    const token = await invite(email);
    const answers = await atOnce(3, () => accept({ token, password }));
    expect(countByStatus(answers)).toMatchObject({ 200: 1 });
    const [username] = email.split('@');
    expect(await own.sql('select username from admins where email = $1', [email])).toEqual([{ username }]);
  });

  test.each(['revoked', 'replaced', 'too old'])('does not work once it is %s', async (how) => {
    const email = newEmail();
    const token = await invite(email);
    const [{ id } = {}] = await openInvitations(email);
    if (how === 'revoked') expect(await own.api.delete(`/invitations?id=${id}`)).toEqual(success);
    if (how === 'replaced') await invite(email, 'admin');
    if (how === 'too old') await own.sql('update invitations set expires_at = now() where id = $1', [id]);
    expect(await accept({ token, password })).toEqual(notInvited);
    const open = how === 'replaced' ? [{ role: 'admin' }] : [];
    expect(await openInvitations(email)).toMatchObject(open);
  });

  test.each<[string, Role, (id: string) => Promise<unknown>]>([
    ['is deactivated', 'user', (id) => own.api.put('/admins/activity', { id, is_active: 0 })],
    ['becomes a user', 'user', (id) => own.api.put('/admins', { id, role: 'user' })],
    [
      'is no superadmin any more',
      'superadmin',
      (id) => own.sql(`update admins set role = 'admin' where id = $1`, [id]),
    ],
  ])('ends when its sender %s', async (_what, role, lose) => {
    const sender = await own.service.signIn(role === 'user' ? 'admin' : role);
    const token = await invite(newEmail(), role, sender);
    await lose(sender.id);
    const accepted = await apiAs(strict.url).post('/invitations/accept', { token, password });
    expect(accepted).toEqual(notInvited);
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

test('with strict roles, only a superadmin invites a superadmin, and replaces or revokes that', async () => {
  const api = apiAs(strict.url, admin);
  const email = newEmail();
  const superadmin = { email, role: 'superadmin' };
  const refused = errorResponse(403, 'Only superadmin can create a superadmin.');
  expect(await api.post('/invitations', superadmin)).toEqual(refused);
  await invite(email, 'superadmin');
  const [open] = await openInvitations(email);
  const kept = errorResponse(403, 'Only superadmin can replace or revoke the invitation of a superadmin.');
  expect(await api.post('/invitations', { email, role: 'user' })).toEqual(kept);
  expect(await api.delete(`/invitations?id=${open?.id}`)).toEqual(kept);
  expect(await openInvitations(email)).toMatchObject([superadmin]);
});

test('an account is told of a new token, which would outlast a stolen session', async () => {
  await admin.client.call('tokens.create', { name: 'deploy' });
  const mail = await own.mailServer.take(admin.email);
  expect(mail.header('Subject')).toBe('Your Backoffice account: the API token “deploy” was created');
  expect(mail.text).toContain(admin.email);
  expect(mail.text).toContain('127.0.0.1');
});
