import { expect, test } from 'vitest';
import { localOperator } from '../../../src/services/call/actor.ts';
import { keyOfCall } from '../../../src/services/idempotency/key-of-call.ts';

const admin = { ...localOperator('ada'), kind: 'admin', id: 'admin_1' } as const;

test('an answer can be read only with its key', () => {
  const key = keyOfCall('a', admin, 'issues.create', {});
  const sealed = key.seal('{"secret":"Žluťoučký 🙂"}');
  expect(sealed.toString()).not.toContain('secret');
  expect(key.open(sealed)).toBe('{"secret":"Žluťoučký 🙂"}');
  expect(() => keyOfCall('b', admin, 'issues.create', {}).open(sealed)).toThrow();
});

test('an answer that was changed in the database is not accepted', () => {
  const key = keyOfCall('a', admin, 'issues.create', {});
  const sealed = key.seal('{"success":true}');
  sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
  expect(() => key.open(sealed)).toThrow();
});

test('inputs with the same values have the same fingerprint, whatever the order of their keys', () => {
  const fingerprint = (input: unknown) =>
    keyOfCall('a', admin, 'issues.create', input).fingerprint.toString('hex');
  const nested = fingerprint({ a: 1, b: { c: [1, 2], d: null } });
  expect(fingerprint({ b: { d: null, c: [1, 2] }, a: 1 })).toBe(nested);
  const others = [
    { a: 1, b: { c: [2, 1], d: null } },
    { a: '1', b: { c: [1, 2], d: null } },
    { a: 1, b: { c: [1, 2] } },
    JSON.parse('{"__proto__":1}'),
    {},
  ];
  expect(new Set([nested, ...others.map(fingerprint)]).size).toBe(others.length + 1);
});

test('the same input under another key has another fingerprint, so that it cannot be guessed', () => {
  const [a, b] = ['a', 'b'].map((key) => keyOfCall(key, admin, 'admins.create', { password: 'secret' }));
  expect(a?.fingerprint).not.toEqual(b?.fingerprint);
});

test('what an earlier version of the service stored is found, recognized and read', () => {
  const key = keyOfCall('a key', admin, 'issues.create', { title: 'T', severity: 'High' });
  expect(key.id.toString('hex')).toBe('31ef851ba953ae11f974b0167a633879f93cfac87ac5599fc3ac3a170fe129e0');
  expect(key.fingerprint.toString('hex')).toBe(
    '40e9befc4f4e6ae967688551bab9f7d4c00a096da03875b5acbfab1775c30b32',
  );
  const sealed = '3ae5b00d57d8766ad523c251e5654c8bf850019489fa2d058c1fbcc2897eaa3f29297a18e3187c8a8dd97a';
  expect(key.open(Buffer.from(sealed, 'hex'))).toBe('{"answer":"{}"}');
});
