import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allowsReset } from '../../../src/services/sign-in/password-resets.ts';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { apiAs, atOnce, errorResponse, success } from '../../support/here/requests.ts';
import {
  openSession,
  type SignedIn,
  startInstance,
  startTestService,
  type TestService,
  password as theOld,
} from '../../support/here.ts';
import { openQueryTap, type QueryTap } from '../../support/postgres/control.ts';
import { mailHere, publicUrl } from '../../support/receivers.ts';

const own = mailHere();
const password = 'battery staple';
const accepted = { status: 202, body: { success: true } };
const notValid = errorResponse(
  400,
  'This link is not valid: it was used or replaced, or is too old. Ask for a new one.',
);
let admin: SignedIn;

beforeEach(async () => {
  await own.sql('delete from rate_limits');
  own.mailServer.mails.length = 0;
  admin = await own.service.signIn('admin');
});

const ask = (email: string) => apiAs(own.service.url).post('/password-reset', { email });
const confirm = (body: object) => apiAs(own.service.url).post('/password-reset/confirm', body);

/** Asks for a link. Returns the token that arrives in the mail. */
async function askFor(email: string): Promise<string> {
  expect(await ask(email)).toEqual(accepted);
  const { text } = await own.mailServer.take(email);
  return text.split(`${publicUrl}/reset-password#token=`)[1]?.slice(0, 43) ?? '';
}

/** Resolves when every job of mails and links is done. */
const untilIdle = () =>
  expect
    .poll(() => own.sql(`select from graphile_worker.jobs where task_identifier like 'send_%'`))
    .toEqual([]);

describe('a link for a new password', () => {
  test('arrives by mail, sets the password once, and ends the sessions', async () => {
    const token = await askFor(admin.email);
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
    const token = await askFor(admin.email);
    const answers = await atOnce(3, (index) => confirm({ token, password: `${password} ${index}` }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = answers.findIndex(({ status }) => status === 200);
    await openSession(own.service.url, admin.email, `${password} ${winner}`);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['another link is used', async () => confirm({ token: await askFor(admin.email), password })],
    ['the password is changed', (id) => own.api.put('/admins', { id, password })],
    ['the e-mail is changed', (id) => own.api.put('/admins', { id, email: `new-${admin.email}` })],
    ['the account is deactivated', (id) => own.api.put('/admins/activity', { id, is_active: 0 })],
    [
      'the account is deactivated by SQL',
      (id) => own.sql('update admins set is_active = 0 where id = $1', [id]),
    ],
    ['half an hour has passed', () => own.sql(`update password_resets set expires_at = now()`)],
  ])('does not work once %s', async (_what, end) => {
    const token = await askFor(admin.email);
    await end(admin.id);
    expect(await confirm({ token, password })).toEqual(notValid);
  });

  test('is recorded, and its token is stored as a hash', async () => {
    const token = await askFor(admin.email);
    const records = await own.sql(
      `select actor_kind, address from audit_records where event = 'password_reset.requested' and subject_id = $1`,
      [admin.id],
    );
    expect(records).toEqual([{ actor_kind: 'nobody', address: '127.0.0.1' }]);
    const [dump] = await own.sql<{ text: string }>(
      `select (select json_agg(r)::text from password_resets r) || (select json_agg(e)::text from events e) as text`,
    );
    expect(dump?.text).not.toContain(token);
  });
});

describe('asking for a link', () => {
  test('sends three to an account in a quarter of an hour, and never says so', async () => {
    for (let count = 1; count <= 5; count++) expect(await ask(admin.email)).toEqual(accepted);
    await untilIdle();
    expect(own.mailServer.mails).toHaveLength(3);
  });

  test('sends twenty from a network in a quarter of an hour', async () => {
    const key = ({ key }: Record<string, string>) => key;
    await ask('first@example.com');
    const [network] = (await own.sql(`select key from rate_limits where key like 'reset-network:%'`)).map(
      key,
    );
    await own.sql('update rate_limits set points = 20 where key = $1', [network]);
    expect(await ask(admin.email)).toEqual(accepted);
    await untilIdle();
    expect(own.mailServer.mails).toEqual([]);
  });

  test('sends more, but not without a limit, from the networks of one site', async () => {
    const from = (address: string) =>
      allowsReset(own.service.services.databases.primary, `${address}@example.com`, address);
    expect(await from('2001:db8:1:2::1')).toBe(true);
    await own.sql(`update rate_limits set points = 80 where key = 'reset-network:2001:db8:1/48'`);
    expect(await from('2001:db8:1:ff03::1')).toBe(false);
    expect(await from('2001:db8:2:3::1')).toBe(true);
  });
});

describe('the account that a link is asked for', () => {
  let tap: QueryTap;
  let tapped: TestService;

  beforeAll(async () => {
    tap = await openQueryTap(own.service.databaseUrl);
    tapped = await startTestService({ DATABASE_URL: tap.url, SMTP_URL: own.mailServer.url });
  });
  afterAll(async () => {
    await tapped?.stop();
    await tap?.close();
  });

  /** Returns the statements of a request, without those that run by themselves. */
  async function statementsFor(email: string): Promise<string[]> {
    tap.reset();
    expect(await apiAs(tapped.url).post('/password-reset', { email })).toEqual(accepted);
    return tap.statements.filter((text) => /start_attempt|end_attempt|add_job|^begin|^commit/i.test(text));
  }

  test('makes no difference to what the service does before it answers', async () => {
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
    'is not looked for without %s: the answer says so',
    async (missing) => {
      const without = await startInstance(own, { SMTP_URL: own.mailServer.url, [missing]: '' });
      const answer = await apiAs(without.url).post('/password-reset', { email: admin.email });
      expect(answer).toMatchObject({ status: 501, body: { error: expect.stringContaining(missing) } });
    },
  );
});
