import { expect, test } from 'vitest';
import {
  knownSettings,
  refusalToChange,
  rolesToChange,
  settingProblem,
} from '../../../src/contract/known-settings/known-settings.ts';
import { readSecondFactorPolicy } from '../../../src/contract/known-settings/second-factor.ts';
import { usageKeys } from '../../../src/contract/known-settings/token-settings.ts';

const retentionKeys = knownSettings.filter(({ protects }) => protects === 'retention').map(({ key }) => key);

test('knows every setting that the service reads, once', () => {
  const keys = knownSettings.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(expect.arrayContaining([...retentionKeys, ...usageKeys]));
});

test('everybody changes settings, except those that protect something', () => {
  const everybody = ['superadmin', 'admin', 'user'];
  expect(rolesToChange('site_name')).toEqual(everybody);
  expect(rolesToChange('SIGN_IN_SECOND_FACTOR')).toEqual(everybody);
  expect(rolesToChange('sign_in_second_factor')).toEqual(['superadmin']);
  const others = ['token_prices', 'token_budgets', 'currency', ...retentionKeys];
  for (const key of others) expect(rolesToChange(key)).toEqual(['superadmin', 'admin']);
});

test('says which roles may change a protected setting, to those that may not', () => {
  expect(refusalToChange('user', 'site_name')).toBeUndefined();
  expect(refusalToChange('admin', 'currency')).toBeUndefined();
  expect(refusalToChange('user', 'currency')).toBe('Only superadmins and admins can change this setting.');
  expect(refusalToChange('admin', 'sign_in_second_factor')).toBe('Only superadmins can change this setting.');
});

test('the empty text is the default of each', () => {
  expect(knownSettings.map(({ problemOf }) => problemOf(''))).toEqual(knownSettings.map(() => undefined));
});

test.for([
  ['timezone', 'Europe/Berlin', 'Mars/Phobos', 'must be a zone of the IANA database'],
  ['events_retention_days', '9999', '10000', 'must be a number of days from 1 to 9999'],
  ['audit_retention_days', '36500', '29', 'must be a number of days from 30 to 99999'],
  ['history_retention_days', '1', '1.5', 'must be a number of days'],
  ['token_prices', '{"a":{"input":"1","output":"2"}}', '{"a":{"input":1,"output":"2"}}', 'must have input'],
  ['token_budgets', '{"total":"50.00"}', '{"total":"-1"}', 'must be a text such as'],
  ['sign_in_second_factor', '{"admin":"required"}', 'maybe', 'must be off, optional, required'],
  ['site_name', 'Ada & Co', 'x'.repeat(61), 'at most 60 characters'],
] as const)('checks %s', ([key, valid, invalid, sentence]) => {
  expect(settingProblem(key, valid)).toBeUndefined();
  expect(settingProblem(key, invalid)).toContain(sentence);
  expect(settingProblem(`${key}_of_the_site`, invalid)).toBeUndefined();
});

const forAll = (mode: string) => ({ superadmin: mode, admin: mode, user: mode });
const optional = forAll('optional');

test.for([
  [undefined, optional],
  ['', optional],
  ['off', forAll('off')],
  ['optional', optional],
  [' required\n', forAll('required')],
  ['{}', optional],
  ['{"superadmin":"required","user":"off"}', { superadmin: 'required', admin: 'optional', user: 'off' }],
] as const)('the policy of second factors %j is valid', ([text, value]) => {
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
] as const)(
  'the policy of second factors %j is invalid, and asks those who have a factor',
  ([text, value, problem]) => {
    const read = readSecondFactorPolicy({ sign_in_second_factor: text });
    expect(read.value).toEqual(value);
    expect(read.problems).toEqual([expect.stringContaining(problem)]);
  },
);
