import { describe, expect, test } from 'vitest';
import { BackofficeError } from '../../../src/contract/errors.ts';
import { checkExpected } from '../../../src/services/call/expected.ts';

/** Returns the text of the rejection, or undefined if the check passes. */
function rejection(...parameters: Parameters<typeof checkExpected>): string | undefined {
  try {
    checkExpected(...parameters);
    return undefined;
  } catch (error) {
    if (!(error instanceof BackofficeError)) throw error;
    expect(error.code).toBe('changed');
    return error.message;
  }
}

describe('what the caller expects of a row', () => {
  test.for([
    ['nothing', undefined, { status: 'Open' }],
    ['nothing of a row that does not exist', undefined, null],
    ['no field', {}, { status: 'Open' }],
    ['an absent field', { status: undefined }, { status: 'Open' }],
    [
      'what it is',
      { status: 'Open', draft: null, is_active: 1 },
      { status: 'Open', draft: null, is_active: 1 },
    ],
  ] as const)('passes: %s', ([, expected, current]) => {
    expect(rejection('issue', expected, current)).toBeUndefined();
  });

  test.for([
    [{ status: 'Open' }, { status: 'Resolved' }, 'status is now Resolved.'],
    [
      { title: 'a', status: 'Open' },
      { title: 'b', status: 'Closed' },
      'title is now b; status is now Closed.',
    ],
    [{ title: 'a', status: 'Open' }, { title: 'a', status: 'Closed' }, 'status is now Closed.'],
    [{ is_active: 1 }, { is_active: 0 }, 'is_active is now 0.'],
    [{ title: 'a' }, { title: 'a ' }, 'title is now a .'],
    [{ title: 'a' }, { title: '' }, 'title is now empty.'],
    [{ draft: 'a' }, { draft: null }, 'draft is no longer set.'],
    [{ draft: null }, { draft: 'a' }, 'draft is now a.'],
    [{ title: 'a' }, { title: 'It broke.' }, 'title is now It broke.'],
    [{}, null, 'the issue no longer exists.'],
    [{ title: 'a' }, { title: '🐛'.repeat(60) }, `title is now ${'🐛'.repeat(60)}.`],
    [{ title: 'a' }, { title: '🐛'.repeat(61) }, `title is now ${'🐛'.repeat(60)}…`],
    [
      { title: 'a' },
      { title: 'x\r\nSet-Cookie: y\u001b[2J\u009b\u202e' },
      'title is now x Set-Cookie: y\uFFFD[2J\uFFFD\uFFFD.',
    ],
    [
      Object.fromEntries([...'abcdefg'].map((field) => [field, '1'])),
      Object.fromEntries([...'abcdefg'].map((field) => [field, '2'])),
      'a is now 2; b is now 2; c is now 2; d is now 2; e is now 2; and 2 more.',
    ],
  ] as const)('%j of %j is rejected: %s', ([expected, current, text]) => {
    expect(rejection('issue', expected, current)).toBe(`Changed meanwhile: ${text}`);
  });
});
