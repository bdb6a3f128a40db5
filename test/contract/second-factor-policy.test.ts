import { expect, test } from 'vitest';
import { readSecondFactorPolicy } from '../../src/contract/known-settings/second-factor.ts';

const off = { superadmin: 'off', admin: 'off', user: 'off' };
const optional = { superadmin: 'optional', admin: 'optional', user: 'optional' };
const required = { superadmin: 'required', admin: 'required', user: 'required' };

test.for([
  [undefined, off],
  ['', off],
  ['off', off],
  ['optional', optional],
  [' required\n', required],
  ['{}', off],
  [
    '{"superadmin":"required","admin":"optional"}',
    { superadmin: 'required', admin: 'optional', user: 'off' },
  ],
] as const)('the setting %j is valid', ([text, value]) => {
  const settings = text === undefined ? {} : { sign_in_second_factor: text };
  expect(readSecondFactorPolicy(settings)).toEqual({ value, problems: [] });
});

test.for([
  ['Required', optional, 'must be off, optional, required, or JSON'],
  ['[]', optional, 'must be off, optional, required, or JSON'],
  ['{"admin":"yes"}', { ...off, admin: 'optional' }, 'The mode of admin'],
  ['{"admin":null}', { ...off, admin: 'optional' }, 'The mode of admin'],
  ['{"owner":"required"}', off, '"owner" in the setting sign_in_second_factor is not a role.'],
  ['{"__proto__":"required"}', off, '"__proto__" in the setting'],
] as const)('the setting %j is invalid, and asks those who have a factor', ([text, value, problem]) => {
  const read = readSecondFactorPolicy({ sign_in_second_factor: text });
  expect(read.value).toEqual(value);
  expect(read.problems).toEqual([expect.stringContaining(problem)]);
});
