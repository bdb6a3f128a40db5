import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { noDeadline } from '../../../src/services/context.ts';
import { attemptSignIn } from '../../../src/services/sign-in/attempt-limits.ts';
import { signIn, signInPatiently } from '../../support/here/accounts.ts';
import { countByStatus } from '../../support/here/requests.ts';
import { backofficeHere, instanceHere, password, type TestService } from '../../support/here.ts';

const backoffice = backofficeHere();
const second = instanceHere(backoffice, { TRUST_PROXY: '1' });

const email = 'grace@example.com';
const other = 'ada@example.com';
const wrong = 'wrong horse';
const failures = 10;

beforeAll(async () => {
  for (const name of [email, other]) await backoffice.service.signIn('user', name);
});

beforeEach(async () => {
  await backoffice.sql('delete from rate_limits');
  await backoffice.sql('delete from sign_in_networks');
});

interface Answer {
  readonly status: number;
  /** In seconds, or null without the header. */
  readonly retryAfter: number | null;
}

async function trySignIn(to: string, secret: string, service = backoffice.service): Promise<Answer> {
  const response = await signInPatiently(service, { email: to, password: secret });
  await response.body?.cancel();
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter: retryAfter === null ? null : Number(retryAfter) };
}

/** Signs in with the right password, or fails to with a wrong one. */
const allow = (service?: TestService, to = email) => trySignIn(to, password, service);
const fail = (service?: TestService, to = email) => trySignIn(to, wrong, service);

const times = (count: number, attempt: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, () => attempt()));

/** Sets the counts of some keys, which is faster than failing that often. */
const setPoints = (prefix: string, count: number) =>
  backoffice.sql('update rate_limits set points = $2 where starts_with(key, $1) and points > 0', [
    prefix,
    count,
  ]);

/** Returns the counts of the keys with that prefix. */
async function points(prefix: string): Promise<Record<string, number>> {
  const rows = await backoffice.sql<{ key: string; points: number }>(
    'select key, points from rate_limits where starts_with(key, $1) and points > 0',
    [prefix],
  );
  return Object.fromEntries(rows.map((row) => [row.key, row.points]));
}

/** Fails once, and sets the count of failures of the account. */
async function exhaust(service: TestService, count = failures): Promise<void> {
  expect((await fail(service)).status).toBe(401);
  await setPoints('sign-in-account:', count);
}

/** Returns the status of a sign-in from an address, which the second instance believes. */
async function from(address: string, secret = password, to = email, service: TestService = second) {
  const body = { email: to, password: secret };
  return (await signIn(service, body, { 'x-forwarded-for': address })).status;
}

describe('the limit of sign-ins', () => {
  test('refuses an account from an address after ten failures, even with the right password', async () => {
    expect(countByStatus(await times(failures, fail))).toEqual({ 401: failures });
    const response = await signInPatiently(backoffice.service, { email, password });
    expect(response.status).toBe(429);
    expect(await response.json()).toStrictEqual({ error: 'Too many sign-in attempts. Try again later.' });
    const retryAfter = Number(response.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(15 * 60);
  });

  test('counts an account that does not exist like any other, by a hash of its e-mail', async () => {
    const answers = await times(failures + 1, () => fail(undefined, 'nobody@example.com'));
    expect(countByStatus(answers)).toEqual({ 401: failures, 429: 1 });
    expect(Object.keys(await points('')).join()).not.toContain('nobody');
  });

  test('is reset by a successful sign-in', async () => {
    await exhaust(backoffice.service, failures - 1);
    expect((await allow()).status).toBe(200);
    expect(countByStatus(await times(2, fail))).toEqual({ 401: 2 });
  });

  test('ends when its window expires', async () => {
    await exhaust(backoffice.service);
    await backoffice.sql('update rate_limits set expire = $1', [Date.now() - 1]);
    expect((await allow()).status).toBe(200);
  });

  test('does not last longer because the clock of Postgres has jumped back', async () => {
    for (const next of ['success', 'failures']) {
      await exhaust(backoffice.service);
      await backoffice.sql('update rate_limits set expire = expire + 86400000');
      if (next === 'success') expect((await allow()).status).toBe(200);
    }
    // The next failure begins a new window.
    expect(countByStatus(await times(failures, fail))).toEqual({ 401: failures });
    expect((await allow()).status).toBe(429);
  });

  test('believes a forwarded address only from a trusted proxy', async () => {
    await exhaust(backoffice.service);
    expect(await from('192.0.2.1', wrong, email, backoffice.service)).toBe(429);
    expect(await from('192.0.2.2', wrong)).toBe(401);
  });

  test('counts an IPv6 network as one address, and an IPv4-mapped address as IPv4', async () => {
    expect(await from('2001:db8:1:2::1', wrong)).toBe(401);
    await setPoints('sign-in-account:', 10);
    expect(await from('2001:db8:1:2:ffff:ffff:ffff:ffff', wrong)).toBe(429);
    expect(await from('2001:db8:1:3::1', wrong)).toBe(401);
    expect(await from('192.0.2.9', wrong)).toBe(401);
    await setPoints('sign-in-account:', 10);
    expect(await from('::ffff:192.0.2.9', wrong)).toBe(429);
  });

  test('counts the /56 and the /48 around an IPv6 address too, but not for a network that has signed in', async () => {
    expect(await from('2001:db8:1:2::1')).toBe(200);
    expect(await from('2001:db8:1:ff00::1', wrong)).toBe(401);
    await setPoints('sign-in-account:', 20);
    expect(await from('2001:db8:1:ff01::1')).toBe(429);
    expect(await from('2001:db8:1:1ff::1')).toBe(200);
    // The /48 is still counted, with 20 of its 40.
    await setPoints('sign-in-account:', 40);
    expect(await from('2001:db8:1:3::1')).toBe(429);
    expect(await from('2001:db8:2:3::1')).toBe(200);
    expect(await from('2001:db8:1:2::9')).toBe(200);
  });

  test('counts guesses at one account from all addresses, but not where it has signed in before', async () => {
    expect(await from('198.51.100.1')).toBe(200);
    await fail(second);
    await setPoints('sign-in-anywhere:', 100);
    expect(await from('198.51.100.1')).toBe(200);
    expect(await from('198.51.100.2')).toBe(429);
    expect(await from('198.51.100.2', password, other)).toBe(200);
    // Failures from that network count there.
    expect(await from('198.51.100.1', wrong)).toBe(401);
    await setPoints('sign-in-account:', 10);
    expect(await from('198.51.100.1')).toBe(429);
  });

  test('lets only a sign-in make a network known, not the check of a password', async () => {
    const { client } = await backoffice.service.signIn('user');
    await backoffice.sql('delete from sign_in_networks');
    await client.call('factors.create', { type: 'totp', password });
    expect(await backoffice.sql('select from sign_in_networks')).toEqual([]);
  });
});

/** Attempts to sign in from an address. */
const attempt = <T>(address: string, verify: () => Promise<T | null>, options?: { waitMs: number }) => {
  const log = pino({ level: 'silent' });
  const context = { ...backoffice.service.services, address, signal: noDeadline, log };
  return attemptSignIn(context, email, verify, options);
};

/** Expects that who was refused is told to wait for a minute at least. */
function expectMinutes(answers: readonly Answer[]): void {
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.filter(({ retryAfter }) => (retryAfter ?? 0) < 60)).toEqual([]);
}

describe('concurrent sign-ins', () => {
  test('with the right password all succeed and leave no counts', async () => {
    expect(countByStatus(await times(30, allow))).toEqual({ 200: 30 });
    expect(await points('')).toEqual({});
  });

  test('of many accounts from one address all succeed, even close to the limit of failures', async () => {
    const emails = Array.from({ length: 40 }, (_, index) => `many-${index}@example.com`);
    await backoffice.sql(
      `insert into admins (email, username, otp_email, password_hash)
       select many, many, '', password_hash from unnest($1::text[]) as many, admins where email = $2`,
      [emails, email],
    );
    await fail(undefined, 'nobody@example.com');
    // With 80 failures there is room for 20 more.
    await setPoints('sign-in-network:', 80);
    expect(countByStatus(await Promise.all(emails.map((many) => allow(undefined, many))))).toEqual({
      200: 40,
    });
    // With 99 there is room for one, so they run one after the other.
    await setPoints('sign-in-network:', 99);
    const few = emails.slice(0, 10);
    expect(countByStatus(await Promise.all(few.map((many) => allow(undefined, many))))).toEqual({ 200: 10 });
  });

  test('on two instances share the ten failures, and the rest are refused for minutes and not counted', async () => {
    const both = await Promise.all([times(15, fail), times(15, () => fail(second))]);
    const answers = both.flat();
    expect(countByStatus(answers)).toEqual({ 401: 10, 429: 20 });
    expectMinutes(answers);
    expect(Object.values(await points('sign-in-'))).toEqual([10, 10, 10]);
    expect(await points('under-way:')).toEqual({});
  });

  test('of one account do not block another account', async () => {
    const guesses = times(30, fail);
    const others = times(30, () => allow(undefined, other));
    expect(countByStatus(await others)).toEqual({ 200: 30 });
    expect(countByStatus(await guesses)).toEqual({ 401: 10, 429: 20 });
  });
});

describe('running attempts of another instance', () => {
  /** Makes one failure and simulates that many running attempts for the account. */
  async function simulateRunning(count: number): Promise<void> {
    await fail();
    await backoffice.sql(
      `update rate_limits set points = $1 where starts_with(key, 'under-way:sign-in-account:')`,
      [count],
    );
  }

  test('are waited for', async () => {
    await simulateRunning(9);
    const waiting = allow();
    await allow(undefined, other);
    await setPoints('under-way:', 8);
    expect(await waiting).toEqual({ status: 200, retryAfter: null });
  });

  test('refuse an attempt for seconds if they take too long', async () => {
    await simulateRunning(9);
    const impatient = attempt('127.0.0.1', async () => 'right', { waitMs: 100 });
    await expect(impatient).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 5 });
  });

  test('stop counting when they expire', async () => {
    await simulateRunning(9);
    await backoffice.sql(`update rate_limits set expire = $1 where starts_with(key, 'under-way:')`, [
      Date.now() - 1,
    ]);
    expect(await allow()).toMatchObject({ status: 200 });
  });
});

describe('an attempt', () => {
  test('that throws is not a failure', async () => {
    const broken = attempt('192.0.2.1', () => Promise.reject(new Error('no hashing now')));
    await expect(broken).rejects.toThrow('no hashing now');
    expect(await points('')).toEqual({});
  });

  test('of a place that the account is known at does not wait for guesses from elsewhere', async () => {
    await allow();
    const guesses = Promise.withResolvers<null>();
    onTestFinished(() => guesses.resolve(null));
    const waiting = Array.from({ length: 20 }, (_, n) => attempt(`192.0.2.${n}`, () => guesses.promise));
    const { sign_ins: signIns } = backoffice.service.services.limiters;
    await expect.poll(() => signIns.waiting).toBe(20 - signIns.limits.atOnce);
    expect(await allow()).toMatchObject({ status: 200 });
    guesses.resolve(null);
    await Promise.all(waiting);
  });

  test('counts as a failure until it ends', async () => {
    await times(9, fail);
    const verifying = Promise.withResolvers<null>();
    const tenth = attempt('127.0.0.1', () => verifying.promise);
    await expect.poll(() => points('under-way:')).not.toEqual({});
    const right = allow();
    await allow(undefined, other);
    verifying.resolve(null);
    expect(await tenth).toBeNull();
    expect((await right).status).toBe(429);
    expectMinutes([await right]);
  });

  test('that succeeds does not clear a failure that is still running', async () => {
    const verifying = Promise.withResolvers<null>();
    const failing = attempt('127.0.0.1', () => verifying.promise);
    await expect.poll(() => points('under-way:')).not.toEqual({});
    expect((await allow()).status).toBe(200);
    verifying.resolve(null);
    await failing;
    expect(Object.values(await points('sign-in-'))).toEqual([1, 1, 1]);
  });
});
