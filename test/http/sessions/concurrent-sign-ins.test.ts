import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { noDeadline } from '../../../src/services/context.ts';
import { attemptSignIn } from '../../../src/services/sign-in/attempt-limits.ts';
import { signInPatiently } from '../../support/here/accounts.ts';
import { backofficeHere, instanceHere, password, type TestService } from '../../support/here.ts';

const backoffice = backofficeHere();
const email = 'grace@example.com';
const other = 'ada@example.com';
const wrong = 'wrong horse';
const secondsPerMinute = 60;
const second = instanceHere(backoffice);

beforeAll(async () => {
  for (const name of [email, other]) await backoffice.service.signIn('user', name);
});

beforeEach(async () => {
  await backoffice.sql('delete from rate_limits');
  await backoffice.sql('delete from sign_in_networks');
});

/** Attempts to sign in from an address. */
const attempt = <T>(address: string, verify: () => Promise<T | null>, options?: { waitMs: number }) => {
  const log = pino({ level: 'silent' });
  const context = { ...backoffice.service.services, address, signal: noDeadline, log };
  return attemptSignIn(context, email, verify, options);
};

interface Answer {
  readonly status: number;
  /** In seconds, or null without the header. */
  readonly retryAfter: number | null;
}

async function trySignIn(credentials: { email: string; password: string }, service = backoffice.service) {
  const response = await signInPatiently(service, credentials);
  await response.body?.cancel();
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter: retryAfter === null ? null : Number(retryAfter) };
}

const times = (count: number, credentials: { email: string; password: string }, service?: TestService) =>
  Array.from({ length: count }, () => trySignIn(credentials, service));

/** Counts the answers by status. */
function countByStatus(answers: readonly Answer[]): Record<number, number> {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, { length }]) => [status, length]));
}

function expectMinutes(answers: readonly Answer[]): void {
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.filter(({ retryAfter }) => (retryAfter ?? 0) < secondsPerMinute)).toEqual([]);
}

/** Returns the counts of the keys with that prefix. */
async function points(prefix: string): Promise<Record<string, number>> {
  const rows = await backoffice.sql<{ key: string; points: number }>(
    `select key, points from rate_limits where starts_with(key, $1) and points > 0`,
    [prefix],
  );
  return Object.fromEntries(rows.map((row) => [row.key, row.points]));
}

describe('concurrent sign-ins', () => {
  test('with the right password all succeed and leave no counts', async () => {
    expect(countByStatus(await Promise.all(times(30, { email, password })))).toEqual({ 200: 30 });
    expect(await points('')).toEqual({});
  });

  test('of many accounts from one address all succeed, even close to the limit of failures', async () => {
    const emails = Array.from({ length: 40 }, (_, index) => `many-${index}@example.com`);
    await backoffice.sql(
      `insert into admins (email, username, otp_email, password_hash)
       select many, many, '', password_hash from unnest($1::text[]) as many, admins where email = $2`,
      [emails, email],
    );
    await trySignIn({ email: 'nobody@example.com', password: wrong });
    const fail = (failures: number) =>
      backoffice.sql(`update rate_limits set points = $1 where starts_with(key, 'sign-in-network:')`, [
        failures,
      ]);
    // With 80 failures there is room for 20 more.
    await fail(80);
    const answers = await Promise.all(emails.map((many) => trySignIn({ email: many, password })));
    expect(countByStatus(answers)).toEqual({ 200: 40 });
    // With 99 there is room for one, so they run one after the other.
    await fail(99);
    const sequential = await Promise.all(
      emails.slice(0, 10).map((many) => trySignIn({ email: many, password })),
    );
    expect(countByStatus(sequential)).toEqual({ 200: 10 });
  });

  test('with a wrong password fail ten times, and the rest are refused for minutes', async () => {
    const answers = await Promise.all(times(30, { email, password: wrong }));
    expect(countByStatus(answers)).toEqual({ 401: 10, 429: 20 });
    expectMinutes(answers);
    // Refused attempts are not counted.
    expect(Object.values(await points('sign-in-'))).toEqual([10, 10, 10]);
    expect(await points('under-way:')).toEqual({});
  });

  test('on two instances share the ten failures', async () => {
    const guesses = [backoffice.service, second].flatMap((service) =>
      times(15, { email, password: wrong }, service),
    );
    const answers = await Promise.all(guesses);
    expect(countByStatus(answers)).toEqual({ 401: 10, 429: 20 });
    expectMinutes(answers);
  });

  test('succeed or fail independently while there is room for the failures', async () => {
    const right = times(25, { email, password });
    const failing = times(9, { email, password: wrong }, second);
    expect(countByStatus(await Promise.all(right))).toEqual({ 200: 25 });
    expect(countByStatus(await Promise.all(failing))).toEqual({ 401: 9 });
  });

  test('of one account do not block another account', async () => {
    const guesses = times(30, { email, password: wrong });
    const others = times(30, { email: other, password });
    expect(countByStatus(await Promise.all(others))).toEqual({ 200: 30 });
    expect(countByStatus(await Promise.all(guesses))).toEqual({ 401: 10, 429: 20 });
  });
});

describe('running attempts of another instance', () => {
  /** Makes one failure and simulates that many running attempts for the account. */
  async function simulateRunning(count: number): Promise<void> {
    await trySignIn({ email, password: wrong });
    await backoffice.sql(
      `update rate_limits set points = $1 where starts_with(key, 'under-way:sign-in-account:')`,
      [count],
    );
  }

  test('are waited for', async () => {
    await simulateRunning(9);
    const waiting = trySignIn({ email, password });
    await trySignIn({ email: other, password });
    await backoffice.sql(`update rate_limits set points = 8 where starts_with(key, 'under-way:')`);
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
    expect(await trySignIn({ email, password })).toMatchObject({ status: 200 });
  });
});

describe('an attempt', () => {
  test('that throws is not a failure', async () => {
    const broken = attempt('192.0.2.1', () => Promise.reject(new Error('no hashing now')));
    await expect(broken).rejects.toThrow('no hashing now');
    expect(await points('')).toEqual({});
  });

  test('of a place that the account is known at does not wait for guesses from elsewhere', async () => {
    await trySignIn({ email, password });
    const guesses = Promise.withResolvers<null>();
    onTestFinished(() => guesses.resolve(null));
    const waiting = Array.from({ length: 20 }, (_, n) => attempt(`192.0.2.${n}`, () => guesses.promise));
    const { sign_ins: signIns } = backoffice.service.services.limiters;
    await expect.poll(() => signIns.waiting).toBe(20 - signIns.limits.atOnce);
    expect(await trySignIn({ email, password })).toMatchObject({ status: 200 });
    guesses.resolve(null);
    await Promise.all(waiting);
  });

  test('counts as a failure until it ends', async () => {
    await Promise.all(times(9, { email, password: wrong }));
    const verifying = Promise.withResolvers<null>();
    const tenth = attempt('127.0.0.1', () => verifying.promise);
    await expect.poll(() => points('under-way:')).not.toEqual({});
    const right = trySignIn({ email, password });
    await trySignIn({ email: other, password });
    verifying.resolve(null);
    expect(await tenth).toBeNull();
    const answer = await right;
    expect(answer.status).toBe(429);
    expectMinutes([answer]);
  });

  test('that succeeds does not clear a failure that is still running', async () => {
    const verifying = Promise.withResolvers<null>();
    const failing = attempt('127.0.0.1', () => verifying.promise);
    await expect.poll(() => points('under-way:')).not.toEqual({});
    expect((await trySignIn({ email, password })).status).toBe(200);
    verifying.resolve(null);
    await failing;
    expect(Object.values(await points('sign-in-'))).toEqual([1, 1, 1]);
  });
});
