import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { noDeadline } from '../../../src/services/context.ts';
import { attemptSignIn } from '../../../src/services/sign-in/attempt-limits.ts';
import { signInPatiently } from '../../support/here/accounts.ts';
import { backofficeHere, instanceHere, password, type TestService } from '../../support/here.ts';

const backoffice = backofficeHere();
const second = instanceHere(backoffice, { TRUST_PROXY: '1' });

const email = 'grace@example.com';
const other = 'ada@example.com';
const failures = 10;

beforeAll(async () => {
  for (const name of [email, other]) await backoffice.service.signIn('user', name);
});

beforeEach(async () => {
  await backoffice.sql('delete from rate_limits');
  await backoffice.sql('delete from sign_in_networks');
});

/** Who signs in, and where. */
interface Caller {
  readonly to?: string;
  readonly service?: TestService;
  /** The address that a proxy tells. The second instance believes it. */
  readonly address?: string;
}

/** Signs in, and returns the status. Expects that who has failed too often is told to wait for minutes. */
async function enter(secret: string, { to = email, service = backoffice.service, address }: Caller = {}) {
  const headers = address === undefined ? {} : { 'x-forwarded-for': address };
  const {
    status,
    body,
    headers: sent,
  } = await signInPatiently(service, { email: to, password: secret }, headers);
  await body?.cancel();
  if (status === 429) expect(Number(sent.get('retry-after'))).toBeGreaterThanOrEqual(60);
  return status;
}

/** Signs in with the right password, or fails to with a wrong one. */
const allow = (caller?: Caller) => enter(password, caller);
const fail = (caller?: Caller) => enter('wrong horse', caller);
const allowFrom = (address: string, to = email) => allow({ service: second, address, to });
const failFrom = (address: string) => fail({ service: second, address });

/** Makes attempts at once, and returns how many have each status. */
async function times(count: number, attempt: (index: number) => Promise<number>) {
  const byStatus: Record<number, number> = {};
  const statuses = await Promise.all(Array.from({ length: count }, (_, index) => attempt(index)));
  for (const status of statuses) byStatus[status] = (byStatus[status] ?? 0) + 1;
  return byStatus;
}

/** Sets the counts of some keys, which is faster than failing that often. */
const setPoints = (prefix: string, count: number) =>
  backoffice.sql('update rate_limits set points = $2 where starts_with(key, $1) and points > 0', [
    prefix,
    count,
  ]);

/** Lets the windows of some keys end. */
const expire = (prefix: string) =>
  backoffice.sql('update rate_limits set expire = $2 where starts_with(key, $1)', [prefix, Date.now() - 1]);

/** Returns the counts of the keys with that prefix. */
async function points(prefix: string): Promise<Record<string, number>> {
  const rows = await backoffice.sql<{ key: string; points: number }>(
    'select key, points from rate_limits where starts_with(key, $1) and points > 0',
    [prefix],
  );
  return Object.fromEntries(rows.map((row) => [row.key, row.points]));
}

/** Fails once, and sets the count of failures of the account. */
async function exhaust(count = failures): Promise<void> {
  expect(await fail()).toBe(401);
  await setPoints('sign-in-account:', count);
}

describe('the limit of sign-ins', () => {
  test('refuses an account from an address after ten failures, even with the right password', async () => {
    expect(await times(failures, () => fail())).toEqual({ 401: failures });
    const response = await signInPatiently(backoffice.service, { email, password });
    expect(response.status).toBe(429);
    expect(await response.json()).toStrictEqual({ error: 'Too many sign-in attempts. Try again later.' });
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
  });

  test('counts an account that does not exist like any other, by a hash of its e-mail', async () => {
    const guess = () => fail({ to: 'nobody@example.com' });
    expect(await times(failures + 1, guess)).toEqual({ 401: failures, 429: 1 });
    expect(Object.keys(await points('')).join()).not.toContain('nobody');
  });

  test('is reset by a successful sign-in, and ends when its window expires', async () => {
    await exhaust(failures - 1);
    expect(await allow()).toBe(200);
    expect(await times(2, () => fail())).toEqual({ 401: 2 });
    await setPoints('sign-in-account:', failures);
    await expire('');
    expect(await allow()).toBe(200);
  });

  test('believes a forwarded address only from a trusted proxy', async () => {
    await exhaust();
    expect(await fail({ address: '192.0.2.1' })).toBe(429);
    expect(await failFrom('192.0.2.2')).toBe(401);
  });

  test('counts an IPv6 network as one address, and an IPv4-mapped address as IPv4', async () => {
    expect(await failFrom('2001:db8:1:2::1')).toBe(401);
    await setPoints('sign-in-account:', 10);
    expect(await failFrom('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await failFrom('2001:db8:1:3::1')).toBe(401);
    expect(await failFrom('192.0.2.9')).toBe(401);
    await setPoints('sign-in-account:', 10);
    expect(await failFrom('::ffff:192.0.2.9')).toBe(429);
  });

  test('counts the /56 and the /48 around an IPv6 address too, but not for a network that has signed in', async () => {
    expect(await allowFrom('2001:db8:1:2::1')).toBe(200);
    expect(await failFrom('2001:db8:1:ff00::1')).toBe(401);
    await setPoints('sign-in-account:', 20);
    expect(await allowFrom('2001:db8:1:ff01::1')).toBe(429);
    expect(await allowFrom('2001:db8:1:1ff::1')).toBe(200);
    // The /48 is still counted, with 20 of its 40.
    await setPoints('sign-in-account:', 40);
    expect(await allowFrom('2001:db8:1:3::1')).toBe(429);
    expect(await allowFrom('2001:db8:2:3::1')).toBe(200);
    expect(await allowFrom('2001:db8:1:2::9')).toBe(200);
  });

  test('counts guesses at one account from all addresses, but not where it has signed in before', async () => {
    expect(await allowFrom('198.51.100.1')).toBe(200);
    await failFrom('192.0.2.1');
    await setPoints('sign-in-anywhere:', 100);
    expect(await allowFrom('198.51.100.1')).toBe(200);
    expect(await allowFrom('198.51.100.2')).toBe(429);
    expect(await allowFrom('198.51.100.2', other)).toBe(200);
    // Failures from that network count there.
    expect(await failFrom('198.51.100.1')).toBe(401);
    await setPoints('sign-in-account:', 10);
    expect(await allowFrom('198.51.100.1')).toBe(429);
  });

  test('lets only a sign-in make a network known, not the check of a password', async () => {
    const { client } = await backoffice.service.signIn('user');
    await backoffice.sql('delete from sign_in_networks');
    await client.call('factors.create', { type: 'totp', password });
    expect(await backoffice.sql('select from sign_in_networks')).toEqual([]);
  });
});

describe('concurrent sign-ins', () => {
  test('of many accounts from one address all succeed, even close to the limit of failures', async () => {
    const emails = Array.from({ length: 40 }, (_, index) => `many-${index}@example.com`);
    await backoffice.sql(
      `insert into admins (email, username, otp_email, password_hash)
       select many, many, '', password_hash from unnest($1::text[]) as many, admins where email = $2`,
      [emails, email],
    );
    const enterAs = (index: number) => allow({ to: String(emails[index]) });
    await fail({ to: 'nobody@example.com' });
    // With 80 failures there is room for 20 more.
    await setPoints('sign-in-network:', 80);
    expect(await times(40, enterAs)).toEqual({ 200: 40 });
    // With 99 there is room for one, so they run one after the other.
    await setPoints('sign-in-network:', 99);
    expect(await times(10, enterAs)).toEqual({ 200: 10 });
  });

  test('on two instances share the ten failures, and the rest are refused and not counted', async () => {
    const guess = (index: number) => fail(index % 2 === 0 ? {} : { service: second });
    expect(await times(30, guess)).toEqual({ 401: 10, 429: 20 });
    expect(Object.values(await points('sign-in-'))).toEqual([10, 10, 10]);
    expect(await points('under-way:')).toEqual({});
  });
});

/** Attempts to sign in from an address, or from that of the tests. */
const attempt = <T>(verify: () => Promise<T | null>, address = '127.0.0.1', options?: { waitMs: number }) => {
  const log = pino({ level: 'silent' });
  const context = { ...backoffice.service.services, address, signal: noDeadline, log };
  return attemptSignIn(context, email, verify, options);
};

describe('running attempts of another instance', () => {
  // After one failure, so there is no room.
  beforeEach(async () => {
    await fail();
    const running = `update rate_limits set points = 9 where starts_with(key, 'under-way:sign-in-account:')`;
    await backoffice.sql(running);
  });

  test('are waited for', async () => {
    const waiting = allow();
    await allow({ to: other });
    await setPoints('under-way:', 8);
    expect(await waiting).toBe(200);
  });

  test('refuse an attempt for seconds if they take too long', async () => {
    const impatient = attempt(async () => 'right', undefined, { waitMs: 100 });
    await expect(impatient).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 5 });
  });

  test('stop counting when they expire', async () => {
    await expire('under-way:');
    expect(await allow()).toBe(200);
  });
});

describe('an attempt', () => {
  /** Begins an attempt, which fails when `end` is called. */
  async function begin() {
    const { promise, resolve } = Promise.withResolvers<null>();
    const failing = attempt(() => promise);
    await expect.poll(() => points('under-way:')).not.toEqual({});
    return async () => {
      resolve(null);
      expect(await failing).toBeNull();
    };
  }

  test('of a place that the account is known at does not wait for guesses from elsewhere', async () => {
    await allow();
    const guesses = Promise.withResolvers<null>();
    onTestFinished(() => guesses.resolve(null));
    const waiting = Array.from({ length: 20 }, (_, n) => attempt(() => guesses.promise, `192.0.2.${n}`));
    const { sign_ins: signIns } = backoffice.service.services.limiters;
    await expect.poll(() => signIns.waiting).toBe(20 - signIns.limits.atOnce);
    expect(await allow()).toBe(200);
    guesses.resolve(null);
    await Promise.all(waiting);
  });

  test('counts as a failure until it ends', async () => {
    await times(9, () => fail());
    const end = await begin();
    const right = allow();
    await allow({ to: other });
    await end();
    expect(await right).toBe(429);
  });

  test('that succeeds does not clear a failure that is still running', async () => {
    const end = await begin();
    expect(await allow()).toBe(200);
    await end();
    expect(Object.values(await points('sign-in-'))).toEqual([1, 1, 1]);
  });
});
