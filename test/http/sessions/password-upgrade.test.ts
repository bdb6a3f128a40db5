import bcrypt from 'bcryptjs';
import { beforeEach, describe, expect, test } from 'vitest';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { apiAs, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere, openSession, startInstance } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();
const current = /^\$bcrypt-sha256\$v=3,t=2b,r=4\$/;
const email = 'imported@example.com';
const secret = 'Grüße aus Köln';

const hashOf = async () =>
  String(
    (await backoffice.sql('select password_hash from admins where email = $1', [email]))[0]?.password_hash,
  );

const statusOf = async (password: string) => (await signIn(backoffice.service, { email, password })).status;

/** Inserts an account as an operator does who moves it from another system. */
async function importAccount(hash: string): Promise<void> {
  await backoffice.sql('delete from admins where email = $1', [email]);
  await backoffice.sql('insert into admins (email, username, password_hash) values ($1, $1, $2)', [
    email,
    hash,
  ]);
}

describe('an account with a bcrypt hash of another system', () => {
  beforeEach(async () => {
    await backoffice.sql('delete from rate_limits');
    await importAccount(bcrypt.hashSync(secret, 4).replace('$2b$', '$2y$'));
  });

  test('signs in, and has a hash of this system from then on', async () => {
    expect(await statusOf('wrong')).toBe(401);
    expect(await hashOf()).toMatch(/^\$2y\$04\$/);
    expect(await statusOf(secret)).toBe(200);
    const upgraded = await hashOf();
    expect(upgraded).toMatch(current);
    expect(await statusOf(secret.normalize('NFD'))).toBe(200);
    expect(await hashOf()).toBe(upgraded);
  });

  test('keeps its sessions when the hash is upgraded, and loses them when the password changes', async () => {
    const first = await openSession(backoffice.service.url, email, secret);
    // Without the trigger, which would end the session here.
    await backoffice.sql('set session_replication_role = replica');
    await backoffice.sql('update admins set password_hash = $2 where email = $1', [
      email,
      bcrypt.hashSync(secret, 4),
    ]);
    await backoffice.sql('reset session_replication_role');
    const second = await openSession(backoffice.service.url, email, secret);
    expect(await hashOf()).toMatch(current);
    expect(await statusWith(backoffice.service, first)).toBe(200);
    await backoffice.sql(`update admins set password_hash = '' where email = $1`, [email]);
    for (const cookie of [first, second]) expect(await statusWith(backoffice.service, cookie)).toBe(401);
  });

  test('signs in as often as it wants at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => statusOf(secret)));
    expect(answers).toEqual([200, 200, 200, 200]);
    expect(await hashOf()).toMatch(current);
  });

  test.runIf(isSlowRun)(
    'of a higher cost makes every failed sign-in as slow, so that its time tells nothing',
    async () => {
      await importAccount(bcrypt.hashSync(secret, 4).replace('$04$', '$11$'));
      const cpuOf = async (name: string) => {
        const before = process.cpuUsage();
        expect((await signIn(backoffice.service, { email: name, password: 'wrong' })).status).toBe(401);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      const times = [
        await cpuOf(email),
        await cpuOf('unknown@example.com'),
        await cpuOf(backoffice.superadmin.email),
      ];
      expect(Math.max(...times) / Math.min(...times)).toBeLessThan(1.6);
    },
  );
});

const common = 'This password is one of the 10,000 most common. Choose another.';
const ofAccount = 'The password is the e-mail of the account or its first part. Choose another.';

describe('a weak new password', () => {
  const strict = backofficeHere({ BACKOFFICE_STRICT_ROLES: '1' });

  test.for([
    ['one of the most common', 'qwertyuiop', common],
    ['one with capitals', '1Q2W3E4R5T', common],
    ['the e-mail', 'Grace.Hopper@Example.com', ofAccount],
    ['its first part', 'grace.hopper', ofAccount],
  ])('is refused with strict roles only: %s', async ([, password = '', message = '']) => {
    const admin = { email: 'Grace.Hopper@example.com', password };
    const short = [...password].length < 12;
    const refusal = errorResponse(400, short ? 'Password must be at least 12 characters.' : message);
    expect(await strict.api.post('/admins', admin)).toEqual(refusal);
    const { id } = await strict.service.signIn('user');
    await strict.api.put('/admins', { id, email: 'grace.hopper@example.com' });
    expect(await strict.api.put('/admins', { id, password })).toEqual(refusal);
    await strict.api.delete(`/admins?id=${id}`);
    const created = await backoffice.api.post('/admins', {
      ...admin,
      email: `grace.hopper@${crypto.randomUUID()}`,
    });
    expect(created.status).toBe(200);
  });

  test('has the length that BACKOFFICE_PASSWORD_MIN_LENGTH says', async () => {
    const other = await startInstance(strict, {
      BACKOFFICE_STRICT_ROLES: '1',
      BACKOFFICE_PASSWORD_MIN_LENGTH: '8',
    });
    const create = (password: string) =>
      apiAs(other.url, strict.superadmin).post('/admins', {
        email: `${crypto.randomUUID()}@x.test`,
        password,
      });
    expect(await create('zebra77')).toEqual(errorResponse(400, 'Password must be at least 8 characters.'));
    expect(await create('qwertyuiop')).toEqual(errorResponse(400, common));
    expect((await create('zebra-77')).status).toBe(200);
  });
});
