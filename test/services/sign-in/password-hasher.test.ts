import { createHmac } from 'node:crypto';
import bcrypt from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Limiter } from '../../../src/services/load/limiter.ts';
import { createPasswordHasher, type PasswordHasher } from '../../../src/services/sign-in/password-hasher.ts';
import { isSlowRun } from '../../support/slow-run.ts';

/** At the cost of the product. */
let passwords: PasswordHasher;
/** At the lowest cost, for tests of what a hash is, not of how long it takes. */
let quick: PasswordHasher;
/** A busy machine may take longer than the service waits. */
const hashes = new Limiter({ atOnce: 1, perCaller: 1, maxQueued: 100, waitMs: 60_000 });

beforeAll(() => {
  passwords = createPasswordHasher((work) => hashes.run('', work));
  quick = createPasswordHasher((work) => work(), 4);
});

afterAll(() => Promise.all([passwords?.close(), quick?.close()]));

/** Hashes after the documentation of passlib's bcrypt_sha256, version 2, at the lowest cost. */
function cheapHash(password: string): string {
  const salt = bcrypt.genSaltSync(4);
  const bare = salt.slice('$2b$04$'.length);
  const digest = createHmac('sha256', bare).update(password).digest('base64');
  return `$bcrypt-sha256$v=2,t=2b,r=4$${bare}$${bcrypt.hashSync(digest, salt).slice(salt.length)}`;
}

describe('a stored password', () => {
  test("has the format of passlib's bcrypt_sha256, as version 3, its own salt, and is outdated at a lower cost", async () => {
    const format = /^\$bcrypt-sha256\$v=3,t=2b,r=10\$[./A-Za-z0-9]{22}\$[./A-Za-z0-9]{31}$/;
    const hash = await passwords.hash('correct horse');
    expect(hash).toMatch(format);
    expect(await passwords.hash('correct horse')).not.toBe(hash);
    const cheap = await quick.hash('correct horse');
    expect([hash, cheap].map(passwords.isOutdated)).toEqual([false, true]);
    expect([hash, cheap].map(quick.isOutdated)).toEqual([false, false]);
  });

  test("matches another implementation: the example in passlib's documentation", async () => {
    const example = '$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2QlB8NdRT8SvGiI4ft2';
    expect(await passwords.verify('password', example)).toBe(true);
    expect(await passwords.verify('Password', example)).toBe(false);
  });

  test('is verified with letters of every script, spaces around it, the maximum length, and no part of it left out', async () => {
    const common = 'x'.repeat(99);
    for (const [password, other] of [
      ['пароль-密碼-🔑', 'пароль-密碼'],
      ['  secret  ', 'secret'],
      ['🔑'.repeat(1024), '🔑'.repeat(1023)],
      [`${common}a${common}`, `${common}b${common}`],
    ] as const) {
      const hash = await quick.hash(password);
      expect(await quick.verify(password, hash)).toBe(true);
      expect(await quick.verify(other, hash)).toBe(false);
    }
  });

  test('is normalized: keyboards may encode the same letters differently', async () => {
    const hash = await quick.hash('café-ﬁn-①'.normalize('NFC'));
    expect(await quick.verify('café-ﬁn-①'.normalize('NFD'), hash)).toBe(true);
    expect(await quick.verify('café-fin-1', hash)).toBe(true);
    expect(await quick.verify('cafe-fin-1', hash)).toBe(false);
  });

  test('of the version before normalization is verified as it was sent, and is outdated', async () => {
    const hash = cheapHash('café-bar'.normalize('NFD'));
    expect(await quick.verify('café-bar'.normalize('NFD'), hash)).toBe(true);
    expect(await quick.verify('café-bar'.normalize('NFC'), hash)).toBe(false);
    expect(quick.isOutdated(hash)).toBe(true);
  });

  test('of another system, in plain bcrypt, is verified, and is outdated', async () => {
    for (const name of ['2a', '2y']) {
      const hash = bcrypt.hashSync('correct horse', 4).replace('$2b$', `$${name}$`);
      expect(await quick.verify('correct horse', hash)).toBe(true);
      expect(await quick.verify('wrong horse', hash)).toBe(false);
      expect(quick.isOutdated(hash)).toBe(true);
    }
  });
});

test.for([
  ['nothing', undefined],
  ['the password itself', 'correct horse'],
  ['bcrypt of a cost that takes minutes', bcrypt.hashSync('correct horse', 4).replace('$04$', '$20$')],
  ['another version of the scheme', cheapHash('correct horse').replace('v=2', 'v=1')],
  ['a truncated hash', cheapHash('correct horse').slice(0, -1)],
])('a stored value that is not a valid hash matches no password: %s', async ([, stored]) => {
  expect(await quick.verify('correct horse', stored)).toBe(false);
  expect(quick.isOutdated(stored ?? '')).toBe(false);
});

test.runIf(isSlowRun)('the hasher works off the main thread', async () => {
  const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
  await Promise.all(Array.from({ length: 20 }, () => passwords.hash('correct horse')));
  const [{ user, system }, whole] = [process.threadCpuUsage(main), process.cpuUsage(all)];
  expect(user + system).toBeLessThan(0.2 * (whole.user + whole.system));
});

test('the hasher verifies a password after the running hashes, before the queued ones', async () => {
  const stored = cheapHash('correct horse');
  let hashed = 0;
  const hashes = Array.from({ length: 10 }, async () => {
    await passwords.hash('correct horse');
    hashed += 1;
  });
  expect(await passwords.verify('correct horse', stored)).toBe(true);
  expect(hashed).toBeLessThan(6);
  await Promise.all(hashes);
});
