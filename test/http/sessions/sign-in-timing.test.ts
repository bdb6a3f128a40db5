import { beforeAll, expect, test } from 'vitest';
import { defaultCost } from '../../../src/services/sign-in/stored-hash.ts';
import { signIn } from '../../support/here/accounts.ts';
import { backofficeHere, password } from '../../support/here.ts';

const backoffice = backofficeHere({}, { passwordCost: defaultCost });
const known = 'known@example.com';
const inactive = 'inactive@example.com';
const passwordless = 'passwordless@example.com';
const rounds = 5;

beforeAll(async () => {
  const { client } = backoffice.superadmin;
  for (const email of [known, inactive]) await client.call('admins.create', { email, password });
  await backoffice.sql('update admins set is_active = 0 where email = $1', [inactive]);
  await backoffice.sql(`insert into admins (email, username) values ($1, 'nobody')`, [passwordless]);
});

/** Returns the CPU time of a sign-in, which other processes do not affect. */
async function cpuOf(email: string): Promise<number> {
  const before = process.cpuUsage();
  expect((await signIn(backoffice.service, { email, password: 'wrong horse' })).status).toBe(401);
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
    await backoffice.sql('delete from rate_limits');
    pairs.push({ other: await cpuOf(email ?? ''), wrong: await cpuOf(known) });
  }
  // The minimum of each, because other work of this process only adds to the time.
  const ratio = Math.min(...pairs.map(({ other }) => other)) / Math.min(...pairs.map(({ wrong }) => wrong));
  // A sign-in that computes no hash would be below a tenth.
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});
