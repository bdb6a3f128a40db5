import { describe, expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/registry.ts';

const tooShort = 'Password must be at least 6 characters.';
const tooLong = 'Password must be at most 1,024 characters.';
const required = 'Email and password are required.';

/** The text of the 400, or undefined if the password is accepted. */
const refusal = {
  create: (password: unknown) =>
    textOf(operationOf('admins.create').input.safeParse({ email: 'a@example.com', password })),
  update: (password: unknown) =>
    textOf(operationOf('admins.update').input.safeParse({ id: 'admin_1', username: 'a', password })),
};

function textOf(result: {
  error?: { issues: readonly { message: string }[] } | undefined;
}): string | undefined {
  return result.error?.issues[0]?.message;
}

describe.for(['create', 'update'] as const)('a password in %s', (at) => {
  test.for([
    ['six letters', 'secret'],
    ['six emoji, each of which is one character', '🔑'.repeat(6)],
    ['six spaces', ' '.repeat(6)],
    ['1,024 letters', 'x'.repeat(1024)],
    ['1,024 emoji', '🔑'.repeat(1024)],
  ] as const)('may be %s', ([, password]) => {
    expect(refusal[at](password)).toBeUndefined();
  });

  test.for([
    ['five letters', 'secre', tooShort],
    ['five emoji, though they are ten units and twenty bytes', '🔑'.repeat(5), tooShort],
    ['one letter', 'x', tooShort],
    ['1,025 letters', 'x'.repeat(1025), tooLong],
    ['1,025 emoji', '🔑'.repeat(1025), tooLong],
  ] as const)('may not be %s', ([, password, text]) => {
    expect(refusal[at](password)).toBe(text);
  });
});

describe('no password', () => {
  test.for([[''], [null], [undefined]])(
    'is an error in a creation and no change in an update: %j',
    ([password]) => {
      expect(refusal.create(password)).toBe(required);
      expect(refusal.update(password)).toBeUndefined();
    },
  );
});
