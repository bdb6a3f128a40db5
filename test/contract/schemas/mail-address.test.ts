import { expect, test } from 'vitest';
import { isMailAddress } from '../../../src/contract/schemas/mail-address.ts';

test.each([
  'grace@example.com',
  'grace.hopper+back-office@mail.example.co.uk',
  "o'brien@example.com",
  'jörg@müller.example',
  '用户@例子.广告',
  'admin@localhost',
  `${'a'.repeat(64)}@example.com`,
])('%s is an address', (text) => expect(isMailAddress(text)).toBe(true));

test.each([
  '',
  '@',
  'grace',
  'grace@',
  '@example.com',
  'grace@example..com',
  'grace@-example.com',
  'grace@example.com.',
  '.grace@example.com',
  'gr..ace@example.com',
  'grace@@example.com',
  'grace hopper@example.com',
  'grace@exam ple.com',
  'grace@example.com\n',
  'grace@example.com\r\nBcc: eve@example.com',
  'grace\u0000@example.com',
  'grace\u200b@example.com',
  'grace\u202e@example.com',
  'grace\u00a0@example.com',
  '<grace@example.com>',
  'a@example.com,b@example.com',
  '"grace"@example.com',
  'grace@[127.0.0.1]',
  `${'a'.repeat(65)}@example.com`,
  `grace@${'a'.repeat(64)}.com`,
  `grace@${'a.'.repeat(130)}com`,
])('%j is no address', (text) => expect(isMailAddress(text)).toBe(false));
