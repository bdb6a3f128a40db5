import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { password, startTestService, type TestService } from '../../support/http/service.ts';
import { signIn } from '../../support/http/sign-in.ts';

const backoffice = backofficeOfThisFile();
const email = 'grace@example.com';
const other = 'ada@example.com';
const wrong = 'wrong horse';
const minutes = 60;
let second: TestService;

beforeAll(async () => {
  for (const name of [email, other]) await backoffice.service.signIn('user', name);
  second = await startTestService({ DATABASE_URL: backoffice.service.databaseUrl });
});

afterAll(() => second?.stop());

beforeEach(() => backoffice.sql('delete from rate_limits'));

interface Answer {
  readonly status: number;
  /** Seconds, where the answer says so. */
  readonly retryAfter: number | null;
}

async function ask(credentials: { email: string; password: string }, service = backoffice.service) {
  const response = await signIn(service, credentials);
  await response.body?.cancel();
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter: retryAfter === null ? null : Number(retryAfter) };
}

const times = (count: number, credentials: { email: string; password: string }, service?: TestService) =>
  Array.from({ length: count }, () => ask(credentials, service));

/** How many answers there are of each status. */
function counted(answers: readonly Answer[]): Record<number, number> {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, { length }]) => [status, length]));
}

function expectMinutes(answers: readonly Answer[]): void {
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.filter(({ retryAfter }) => (retryAfter ?? 0) < minutes)).toEqual([]);
}

/** The rows of the counts whose key begins so, as `key: points`. */
async function points(prefix: string): Promise<Record<string, number>> {
  const rows = await backoffice.sql<{ key: string; points: number }>(
    `select key, points from rate_limits where starts_with(key, $1) and points > 0`,
    [prefix],
  );
  return Object.fromEntries(rows.map((row) => [row.key, row.points]));
}

describe('sign-ins at once', () => {
  test('with the right password all succeed, and leave nothing counted', async () => {
    expect(counted(await Promise.all(times(30, { email, password })))).toEqual({ 200: 30 });
    expect(await points('')).toEqual({});
  });

  test('of many accounts from one address all succeed, also where fewer of them might fail', async () => {
    const emails = Array.from({ length: 40 }, (_, index) => `many-${index}@example.com`);
    await backoffice.sql(
      `insert into admins (email, username, otp_email, password_hash)
       select many, many, '', password_hash from unnest($1::text[]) as many, admins where email = $2`,
      [emails, email],
    );
    await ask({ email: 'nobody@example.com', password: wrong });
    const fail = (failures: number) =>
      backoffice.sql(`update rate_limits set points = $1 where starts_with(key, 'sign-in-network:')`, [
        failures,
      ]);
    // With 80 failures there is room for 20 more.
    await fail(80);
    const answers = await Promise.all(emails.map((many) => ask({ email: many, password })));
    expect(counted(answers)).toEqual({ 200: 40 });
    // With 99 there is room for one: they go through it one after the other.
    await fail(99);
    const inTurn = await Promise.all(emails.slice(0, 10).map((many) => ask({ email: many, password })));
    expect(counted(inTurn)).toEqual({ 200: 10 });
  });

  test('with a wrong password are ten tries, and the rest is told to come back in minutes', async () => {
    const answers = await Promise.all(times(30, { email, password: wrong }));
    expect(counted(answers)).toEqual({ 401: 10, 429: 20 });
    expectMinutes(answers);
    // What was refused was no try, so it counts nowhere.
    expect(Object.values(await points('sign-in-'))).toEqual([10, 10, 10]);
    expect(await points('under-way:')).toEqual({});
  });

  test('on two instances are ten tries as well', async () => {
    const guesses = [backoffice.service, second].flatMap((service) =>
      times(15, { email, password: wrong }, service),
    );
    const answers = await Promise.all(guesses);
    expect(counted(answers)).toEqual({ 401: 10, 429: 20 });
    expectMinutes(answers);
  });

  test('are right or wrong each for itself, while there is room for the wrong ones', async () => {
    const right = times(25, { email, password });
    const failing = times(9, { email, password: wrong }, second);
    expect(counted(await Promise.all(right))).toEqual({ 200: 25 });
    expect(counted(await Promise.all(failing))).toEqual({ 401: 9 });
  });

  test('of one account do not keep another one out', async () => {
    const guesses = times(30, { email, password: wrong });
    const others = times(30, { email: other, password });
    expect(counted(await Promise.all(others))).toEqual({ 200: 30 });
    expect(counted(await Promise.all(guesses))).toEqual({ 401: 10, 429: 20 });
  });
});

describe('attempts of another instance that are under way', () => {
  /** As if so many were being verified for the account, besides one failure. */
  async function underWay(count: number): Promise<void> {
    await ask({ email, password: wrong });
    await backoffice.sql(
      `update rate_limits set points = $1 where starts_with(key, 'under-way:sign-in-account:')`,
      [count],
    );
  }

  test('are waited for', async () => {
    await underWay(9);
    const waiting = ask({ email, password });
    await ask({ email: other, password });
    await backoffice.sql(`update rate_limits set points = 8 where starts_with(key, 'under-way:')`);
    expect(await waiting).toEqual({ status: 200, retryAfter: null });
  });

  test('refuse for seconds where they take too long', async () => {
    await underWay(9);
    expect(await ask({ email, password })).toEqual({ status: 429, retryAfter: 5 });
  });

  test('count no longer once they must be lost', async () => {
    await underWay(9);
    await backoffice.sql(`update rate_limits set expire = $1 where starts_with(key, 'under-way:')`, [
      Date.now() - 1,
    ]);
    expect(await ask({ email, password })).toMatchObject({ status: 200 });
  });
});

describe('an attempt', () => {
  const limits = () => backoffice.service.services.signInLimits;

  test('that breaks off is no failure', async () => {
    const broken = limits().attempt(email, '192.0.2.1', () => Promise.reject(new Error('no hashing now')));
    await expect(broken).rejects.toThrow('no hashing now');
    expect(await points('')).toEqual({});
  });

  test('takes up the room of a failure until it has ended', async () => {
    await Promise.all(times(9, { email, password: wrong }));
    const verifying = Promise.withResolvers<null>();
    const tenth = limits().attempt(email, '127.0.0.1', () => verifying.promise);
    await expect.poll(() => points('under-way:')).not.toEqual({});
    const right = ask({ email, password });
    await ask({ email: other, password });
    verifying.resolve(null);
    expect(await tenth).toBeNull();
    const answer = await right;
    expect(answer.status).toBe(429);
    expectMinutes([answer]);
  });

  test('that succeeds forgives no failure that is still to come', async () => {
    const verifying = Promise.withResolvers<null>();
    const failing = limits().attempt(email, '127.0.0.1', () => verifying.promise);
    await expect.poll(() => points('under-way:')).not.toEqual({});
    expect((await ask({ email, password })).status).toBe(200);
    verifying.resolve(null);
    await failing;
    expect(Object.values(await points('sign-in-'))).toEqual([1, 1, 1]);
  });
});
