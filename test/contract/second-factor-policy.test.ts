import { expect, test } from 'vitest';
import { readSecondFactorPolicy } from '../../src/contract/known-settings/second-factor.ts';

const off = { superadmin: 'off', admin: 'off', user: 'off' };
const optional = { superadmin: 'optional', admin: 'optional', user: 'optional' };
const required = { superadmin: 'required', admin: 'required', user: 'required' };

test.for([
  [undefined, optional],
  ['', optional],
  ['off', off],
  ['optional', optional],
  [' required\n', required],
  ['{}', optional],
  ['{"superadmin":"required","user":"off"}', { superadmin: 'required', admin: 'optional', user: 'off' }],
] as const)('the setting %j is valid', ([text, value]) => {
  const settings = text === undefined ? {} : { sign_in_second_factor: text };
  expect(readSecondFactorPolicy(settings)).toEqual({ value, problems: [] });
});

test.for([
  ['Required', optional, 'must be off, optional, required, or JSON'],
  ['[]', optional, 'must be off, optional, required, or JSON'],
  ['{"admin":"yes"}', optional, 'The mode of admin'],
  ['{"admin":null,"user":"off"}', { ...optional, user: 'off' }, 'The mode of admin'],
  ['{"owner":"required"}', optional, '"owner" in the setting sign_in_second_factor is not a role.'],
  ['{"__proto__":"required"}', optional, '"__proto__" in the setting'],
] as const)('the setting %j is invalid, and asks those who have a factor', ([text, value, problem]) => {
  const read = readSecondFactorPolicy({ sign_in_second_factor: text });
  expect(read.value).toEqual(value);
  expect(read.problems).toEqual([expect.stringContaining(problem)]);
});
