import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultCost } from '../../src/services/sign-in/stored-hash.ts';
import { signIn } from '../support/here/accounts.ts';
import { at, countByStatus } from '../support/here/requests.ts';
import { backofficeHere, password } from '../support/here.ts';
import { type ServerProcess, serveProcess } from '../support/run/server.ts';

const backoffice = backofficeHere({}, { passwordCost: defaultCost });
const email = 'grace@example.com';
const home = { 'x-forwarded-for': '198.51.100.7' };
let instances: ServerProcess[] = [];

beforeAll(async () => {
  // Signing in gives the account a hash of the cost of the product.
  await backoffice.service.signIn('user', email);
  const start = () => serveProcess(backoffice.service.databaseUrl, { TRUST_PROXY: '1' });
  instances = [await start(), await start()];
});

afterAll(() => Promise.all(instances.map(({ command }) => command.stop('SIGTERM'))));

beforeEach(async () => {
  await backoffice.sql('delete from rate_limits');
  await backoffice.sql('delete from sign_in_networks');
});

/** Signs in from the network that the account was signed in from before, and returns how long that takes. */
async function signInAtHome(headers = home): Promise<number> {
  const start = performance.now();
  const response = await signIn(at(instances[0]?.url), { email, password }, headers);
  await response.text();
  expect(response.status).toBe(200);
  return performance.now() - start;
}

/** Guesses from each of the addresses at once, on both instances in turn, while the owner signs in. */
async function guess(
  addresses: readonly string[],
  accountOf: (n: number) => string = () => email,
  from = home,
) {
  const answers: Response[] = [];
  let left = addresses.length;
  const guesses = addresses.map(async (address, index) => {
    const wrong = { email: accountOf(index), password: `wrong ${index}` };
    const response = await signIn(at(instances[index % 2]?.url), wrong, { 'x-forwarded-for': address });
    await response.text();
    answers.push(response);
    left--;
  });
  const times: number[] = [];
  while (left > 0) times.push(await signInAtHome(from));
  await Promise.all(guesses);
  const byStatus = countByStatus(answers);
  const longest = Math.round(Math.max(...times));
  console.log(
    `${JSON.stringify(byStatus)}; ${times.length} sign-ins of the owner, the longest ${longest} ms`,
  );
  return { byStatus, longest };
}

test.for<readonly [from: string, addressOf: (n: number) => string, allowed: number]>([
  ['a /48', (n) => `2001:db8:1:${(n * 317).toString(16)}::1`, 40],
  ['forged headers before that of the proxy', (n) => `203.0.113.${n}, 192.0.2.1`, 10],
])(
  '200 wrong passwords at once from %s are limited, and the owner signs in',
  async ([, addressOf, allowed]) => {
    await signInAtHome();
    const { byStatus, longest } = await guess(Array.from({ length: 200 }, (_, n) => addressOf(n)));
    expect(byStatus[401]).toBe(allowed);
    expect(longest).toBeLessThanOrEqual(1_500);
  },
);

const networks = Array.from({ length: 240 }, (_, n) => `203.0.${n}.9`);

test('240 sign-ins from 240 networks do not slow the owner', async () => {
  await signInAtHome();
  const { byStatus, longest } = await guess(networks);
  expect(byStatus[401] ?? 0).toBeLessThanOrEqual(100);
  expect(longest).toBeLessThanOrEqual(1_500);
});

test('240 sign-ins to 240 accounts from 240 networks do not slow the owner at another address of its provider', async () => {
  await signInAtHome();
  const from = { 'x-forwarded-for': '198.51.100.99' };
  const { longest } = await guess(networks, (n) => `unknown-${n}@example.com`, from);
  expect(longest).toBeLessThanOrEqual(1_500);
});
