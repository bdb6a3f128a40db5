import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { backofficeOfThisFile } from '../support/http/backoffice.ts';
import { password, startTestService, type TestService } from '../support/http/service.ts';
import { signIn } from '../support/http/sign-in.ts';

const backoffice = backofficeOfThisFile();
const email = 'grace@example.com';
const home = { 'x-forwarded-for': '198.51.100.7' };
let instances: TestService[] = [];

beforeAll(async () => {
  await backoffice.service.signIn('user', email);
  const start = () => startTestService({ DATABASE_URL: backoffice.service.databaseUrl, TRUST_PROXY: '1' });
  instances = [await start(), await start()];
});

afterAll(() => Promise.all(instances.map((instance) => instance.stop())));

beforeEach(() => backoffice.sql('delete from rate_limits'));

/** Signs in from the network that the account was signed in from before, and returns how long that takes. */
async function signInAtHome(): Promise<number> {
  const start = performance.now();
  const { status } = await signIn(instances[0] as TestService, { email, password }, home);
  expect(status).toBe(200);
  return performance.now() - start;
}

/** Guesses from each of the addresses at once, on both instances in turn, while the owner signs in. */
async function guess(addresses: readonly string[]) {
  const statuses: number[] = [];
  let left = addresses.length;
  const guesses = addresses.map(async (address, index) => {
    const headers = { 'x-forwarded-for': address };
    const instance = instances[index % 2] as TestService;
    const { status } = await signIn(instance, { email, password: `wrong ${index}` }, headers);
    statuses.push(status);
    left--;
  });
  const times: number[] = [];
  while (left > 0) times.push(await signInAtHome());
  await Promise.all(guesses);
  const byStatus = Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, { length }]) => [status, length]),
  );
  const longest = Math.round(Math.max(...times));
  console.log(
    `${JSON.stringify(byStatus)}; ${times.length} sign-ins of the owner, the longest ${longest} ms`,
  );
  return { byStatus, longest };
}

test.for<readonly [from: string, addressOf: (n: number) => string, allowed: number]>([
  ['one address', () => '192.0.2.1', 10],
  ['a /48', (n) => `2001:db8:1:${(n * 317).toString(16)}::1`, 40],
  ['a /64', (n) => `2001:db8:1:2::${n + 1}`, 10],
  ['forged headers before that of the proxy', (n) => `203.0.113.${n}, 192.0.2.1`, 10],
])(
  '200 wrong passwords at once from %s are limited, and the owner signs in',
  async ([, addressOf, allowed]) => {
    await signInAtHome();
    const { byStatus, longest } = await guess(Array.from({ length: 200 }, (_, n) => addressOf(n)));
    expect(byStatus[401]).toBe(allowed);
    expect(longest).toBeLessThanOrEqual(1_000);
  },
);

test('240 sign-ins from 240 networks do not slow the owner', async () => {
  await signInAtHome();
  const { byStatus, longest } = await guess(Array.from({ length: 240 }, (_, n) => `203.0.${n}.9`));
  expect(byStatus[401] ?? 0).toBeLessThanOrEqual(100);
  expect(longest).toBeLessThanOrEqual(1_000);
});
