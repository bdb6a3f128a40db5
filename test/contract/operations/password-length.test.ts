import { expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';

/** Returns the text of the 400 of each operation that takes a password, or undefined if it is accepted. */
const refusals = (password: unknown) =>
  [
    operationOf('admins.create').input.safeParse({ email: 'a@example.com', password }),
    operationOf('admins.update').input.safeParse({ id: 'admin_1', username: 'a', password }),
  ].map(({ error }) => error?.issues[0]?.message);

const tooShort = 'Password must be at least 6 characters.';
const tooLong = 'Password must be at most 1,024 characters.';

test.for([
  ['six letters', 'secret', undefined],
  ['six emoji, each of which is one character', '🔑'.repeat(6), undefined],
  ['six spaces', ' '.repeat(6), undefined],
  ['1,024 letters', 'x'.repeat(1024), undefined],
  ['1,024 emoji', '🔑'.repeat(1024), undefined],
  ['five letters', 'secre', tooShort],
  ['five emoji, though they are ten units and twenty bytes', '🔑'.repeat(5), tooShort],
  ['1,025 letters', 'x'.repeat(1025), tooLong],
  ['1,025 emoji', '🔑'.repeat(1025), tooLong],
] as const)('a password of %s', ([, password, text]) => {
  expect(refusals(password)).toEqual([text, text]);
});

test.for([[''], [null], [undefined]])('no password, as %j, is an error only in a creation', ([password]) => {
  expect(refusals(password)).toEqual(['Email and password are required.', undefined]);
});
