import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultCost } from '../../../src/services/sign-in/stored-hash.ts';
import { signIn, signInPatiently } from '../../support/here/accounts.ts';
import { backofficeHere, instanceHere, password, type TestService } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

const email = 'grace@example.com';
const failures = 10;
const second = instanceHere(backoffice, { TRUST_PROXY: '1' });

beforeAll(async () => {
  await backoffice.service.signIn('user', email);
});

beforeEach(async () => {
  await backoffice.sql('delete from rate_limits');
  await backoffice.sql('delete from sign_in_networks');
});

/** Fails to sign in that many times and returns the statuses. */
async function fail(times: number, service: TestService, to = email): Promise<number[]> {
  const wrong = { email: to, password: 'wrong horse' };
  const answers = await Promise.all(Array.from({ length: times }, () => signInPatiently(service, wrong)));
  return answers.map(({ status }) => status);
}

/** Fails once and sets the count of failures, which is faster than failing that often. */
async function exhaust(service: TestService, times = failures): Promise<void> {
  expect(await fail(1, service)).toStrictEqual([401]);
  await backoffice.sql(`update rate_limits set points = $1 where key like 'sign-in-account:%'`, [times]);
}

const allow = (service: TestService) => signInPatiently(service, { email, password });

describe('the limit of sign-ins', () => {
  test('refuses an account from an address after ten failures, even with the right password', async () => {
    expect(await fail(failures, backoffice.service)).toStrictEqual(Array(failures).fill(401));
    const response = await allow(backoffice.service);
    expect(response.status).toBe(429);
    expect(await response.json()).toStrictEqual({ error: 'Too many sign-in attempts. Try again later.' });
    const retryAfter = Number(response.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(15 * 60);
  });

  test('counts an account that does not exist like any other', async () => {
    const statuses = await fail(failures + 1, backoffice.service, 'nobody@example.com');
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  test('does not affect the same account from another address', async () => {
    await exhaust(second);
    expect((await allow(second)).status).toBe(429);
    const elsewhere = await signIn(second, { email, password }, { 'x-forwarded-for': '192.0.2.7' });
    expect(elsewhere.status).toBe(200);
  });

  test('is reset by a successful sign-in', async () => {
    await exhaust(backoffice.service, failures - 1);
    expect((await allow(backoffice.service)).status).toBe(200);
    expect(await fail(2, backoffice.service)).toStrictEqual([401, 401]);
  });

  test('ends when its window expires', async () => {
    await exhaust(backoffice.service);
    await backoffice.sql('update rate_limits set expire = $1', [Date.now() - 1]);
    expect((await allow(backoffice.service)).status).toBe(200);
  });

  test('does not last longer because the clock of Postgres has jumped back', async () => {
    await exhaust(backoffice.service);
    await backoffice.sql('update rate_limits set expire = expire + 86400000');
    expect((await allow(backoffice.service)).status).toBe(200);
    await exhaust(backoffice.service);
    await backoffice.sql('update rate_limits set expire = expire + 86400000');
    // The next failure begins a new window.
    expect(await fail(failures, backoffice.service)).toStrictEqual(Array(failures).fill(401));
    expect((await allow(backoffice.service)).status).toBe(429);
  });

  test('believes a forwarded address only from a trusted proxy', async () => {
    const forged = (service: TestService, last: number) =>
      signIn(service, { email, password: 'wrong horse' }, { 'x-forwarded-for': `192.0.2.${last}` });
    await exhaust(backoffice.service);
    expect((await forged(backoffice.service, 1)).status).toBe(429);
    expect((await forged(second, 2)).status).toBe(401);
  });

  test('counts an IPv6 network as one address, and an IPv4-mapped address as IPv4', async () => {
    const from = async (address: string) => {
      const { status } = await signIn(
        second,
        { email, password: 'wrong horse' },
        { 'x-forwarded-for': address },
      );
      return status;
    };
    expect(await from('2001:db8:1:2::1')).toBe(401);
    await backoffice.sql(`update rate_limits set points = 10 where key like 'sign-in-account:%'`);
    expect(await from('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await from('2001:db8:1:3::1')).toBe(401);
    expect(await from('192.0.2.9')).toBe(401);
    await backoffice.sql(`update rate_limits set points = 10 where key like 'sign-in-account:%'`);
    expect(await from('::ffff:192.0.2.9')).toBe(429);
  });

  test('counts the /56 and the /48 around an IPv6 address too, but not for a network that has signed in', async () => {
    const from = async (address: string, secret = password) => {
      const body = { email, password: secret };
      return (await signIn(second, body, { 'x-forwarded-for': address })).status;
    };
    expect(await from('2001:db8:1:2::1')).toBe(200);
    expect(await from('2001:db8:1:ff00::1', 'wrong horse')).toBe(401);
    const counts = `update rate_limits set points = $1 where key like 'sign-in-account:%' and points > 0`;
    await backoffice.sql(counts, [20]);
    expect(await from('2001:db8:1:ff01::1')).toBe(429);
    expect(await from('2001:db8:1:1ff::1')).toBe(200);
    // The /48 is still counted, with 20 of its 40.
    await backoffice.sql(counts, [40]);
    expect(await from('2001:db8:1:3::1')).toBe(429);
    expect(await from('2001:db8:2:3::1')).toBe(200);
    expect(await from('2001:db8:1:2::9')).toBe(200);
  });

  test('limits guesses at one account from all addresses together', async () => {
    await fail(1, second);
    await backoffice.sql(`update rate_limits set points = 100 where key like 'sign-in-anywhere:%'`);
    const right = { email, password };
    expect((await signIn(second, right, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(429);
    const other = { email: backoffice.superadmin.email, password };
    expect((await signIn(second, other, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(200);
  });

  test('does not lock an account out of a network where it has signed in before', async () => {
    const right = { email, password };
    const from = (address: string) => signIn(second, right, { 'x-forwarded-for': address });
    expect((await from('198.51.100.1')).status).toBe(200);
    await fail(1, second);
    await backoffice.sql(`update rate_limits set points = 100 where key like 'sign-in-anywhere:%'`);
    expect((await from('198.51.100.1')).status).toBe(200);
    expect((await from('198.51.100.2')).status).toBe(429);
    // Failures from that network count there.
    const guess = { email, password: 'wrong horse' };
    expect((await signIn(second, guess, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(401);
    await backoffice.sql(`update rate_limits set points = 10 where key like 'sign-in-account:%'`);
    expect((await from('198.51.100.1')).status).toBe(429);
  });

  test('lets only a sign-in make a network known, not the check of a password', async () => {
    const { client } = await backoffice.service.signIn('user');
    await backoffice.sql('delete from sign_in_networks');
    await client.call('factors.create', { type: 'totp', password });
    expect(await backoffice.sql('select from sign_in_networks')).toEqual([]);
  });

  test('counts refused attempts from one network nowhere else', async () => {
    await exhaust(second);
    for (let n = 0; n < 5; n++) expect(await fail(1, second)).toStrictEqual([429]);
    const counted = await backoffice.sql(
      `select points from rate_limits where key like 'sign-in-anywhere:%'`,
    );
    expect(counted).toEqual([{ points: 1 }]);
  });

  test('stores a hash of the e-mail, not the e-mail', async () => {
    await fail(1, backoffice.service);
    const keys = await backoffice.sql<{ key: string }>('select key from rate_limits');
    expect(keys.map(({ key }) => key).join()).not.toContain('grace');
  });
});

describe.runIf(isSlowRun)('the time of a sign-in', () => {
  const costly = backofficeHere({}, { passwordCost: defaultCost });
  const known = 'known@example.com';
  const inactive = 'inactive@example.com';
  const passwordless = 'passwordless@example.com';
  const rounds = 5;

  beforeAll(async () => {
    const { client } = costly.superadmin;
    for (const email of [known, inactive]) await client.call('admins.create', { email, password });
    await costly.sql('update admins set is_active = 0 where email = $1', [inactive]);
    await costly.sql(`insert into admins (email, username) values ($1, 'nobody')`, [passwordless]);
  });

  /** Returns the CPU time of a sign-in, which other processes do not affect. */
  async function cpuOf(email: string): Promise<number> {
    const before = process.cpuUsage();
    expect((await signIn(costly.service, { email, password: 'wrong horse' })).status).toBe(401);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }

  test.for([
    ['an unknown account', 'unknown@example.com'],
    ['an inactive admin', inactive],
    ['an account without a password', passwordless],
  ])('a sign-in to %s costs as much work as one with a wrong password', async ([, email]) => {
    const pairs: { other: number; wrong: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      // Keeps the failures of each account below the limits.
      await costly.sql('delete from rate_limits');
      pairs.push({ other: await cpuOf(email ?? ''), wrong: await cpuOf(known) });
    }
    // The minimum of each, because other work of this process only adds to the time.
    const ratio = Math.min(...pairs.map(({ other }) => other)) / Math.min(...pairs.map(({ wrong }) => wrong));
    // A sign-in that computes no hash would be below a tenth.
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
