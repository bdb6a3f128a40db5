import { beforeEach, describe, expect, test } from 'vitest';
import { refusal, refusalLike, success } from './ask.ts';
import { backofficeOfThisFile } from './backoffice.ts';

const backoffice = backofficeOfThisFile();

const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
const account = { email: 'new@example.com', password: 'long enough' };
const target = { id: 'admin_0_nobody', username: 'U' };

/** Values that are no texts. */
const notTexts = [123, 0, true, false, {}, { a: 1 }, [], ['text']];

beforeEach(async () => {
  await backoffice.sql('truncate settings');
});

describe('a wrong type where the contract names a required text gives that text', () => {
  test.for([
    ['post', '/issues', 'title', {}, 'Title is required'],
    ['post', '/conversations', 'visitor_email', visitor, 'Visitor email and name are required.'],
    ['post', '/conversations', 'visitor_name', visitor, 'Visitor email and name are required.'],
    ['post', '/admins', 'email', account, 'Email and password are required.'],
    ['post', '/admins', 'password', account, 'Email and password are required.'],
    ['put', '/admins', 'id', target, 'Admin ID is required.'],
  ] as const)('%s %s: %s', async ([method, path, field, others, text]) => {
    for (const value of [null, ...notTexts]) {
      expect(
        await backoffice.ask[method](path, { ...others, [field]: value }),
        JSON.stringify(value),
      ).toEqual(refusal(400, text));
    }
  });
});

describe('a wrong type elsewhere is 400 with a sentence that names the field', () => {
  test.for([
    ['post', '/issues', 'category', { title: 'T' }],
    ['post', '/issues', 'severity', { title: 'T' }],
    ['post', '/issues', 'description', { title: 'T' }],
    ['post', '/issues', 'steps_to_reproduce', { title: 'T' }],
    ['post', '/conversations', 'subject', visitor],
    ['post', '/conversations', 'initial_message', visitor],
    ['post', '/admins', 'username', account],
    ['put', '/admins', 'email', target],
    ['put', '/admins', 'username', { id: 'admin_0_nobody' }],
    ['put', '/admins', 'password', target],
  ] as const)('%s %s: %s', async ([method, path, field, others]) => {
    for (const value of notTexts) {
      expect(
        await backoffice.ask[method](path, { ...others, [field]: value }),
        JSON.stringify(value),
      ).toEqual(refusalLike(400, new RegExp(`^${field} .*\\.$`)));
    }
  });
});

test('null is as good as omitted where a text is optional', async () => {
  const { ask } = backoffice;
  const nulls = { category: null, severity: null, description: null, steps_to_reproduce: null };
  expect(await ask.post('/issues', { title: 'Nulls', ...nulls })).toMatchObject({ status: 200 });
  expect(
    await backoffice.sql("select category, severity, description from issues where title = 'Nulls'"),
  ).toEqual([{ category: 'Other', severity: 'Low', description: '' }]);
  expect(await ask.put('/admins', { ...target, email: null, password: null })).toEqual(success);
});

describe('a NUL is 400, wherever it is', () => {
  test.for([
    ['post', '/issues', { title: 'a\0b' }],
    ['post', '/issues', { title: 'T', description: '\0' }],
    ['post', '/conversations', { ...visitor, initial_message: 'a\0' }],
    ['put', '/settings', { updates: { k: '\0' } }],
    ['put', '/settings', { updates: { 'k\0': 'v' } }],
    ['put', '/settings', { updates: { k: { deep: ['\0'] } } }],
    ['put', '/settings', { key: 'k', value: '\0' }],
    ['post', '/admins', { ...account, email: 'a\0@example.com' }],
    ['post', '/admins', { ...account, password: 'long\0enough' }],
    ['put', '/admins', { ...target, id: '\0' }],
  ] as const)('%s %s %j', async ([method, path, body]) => {
    expect(await backoffice.ask[method](path, body)).toEqual(refusalLike(400, /NUL/));
  });

  test('in a query string too', async () => {
    expect(await backoffice.ask.get('/issues?period=%00')).toEqual(refusalLike(400, /period.*NUL/));
    expect(await backoffice.ask.delete('/admins?id=%00')).toEqual(refusalLike(400, /id.*NUL/));
  });
});

test('a lone surrogate is made well-formed, in values and in keys', async () => {
  expect(
    await backoffice.ask.put('/settings', '{"updates":{"a":"x\\ud800y","b\\udc00":"\\ud83d\\udc1b"}}'),
  ).toEqual(success);
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  expect(settings).toEqual({ a: 'x\u{fffd}y', 'b\u{fffd}': '🐛' });
});

describe('keys of objects are keys like any other', () => {
  test.for(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('%s', async (key) => {
    expect(await backoffice.ask.put('/settings', `{"updates":{"${key}":"theirs"}}`)).toEqual(success);
    expect(await backoffice.sql('select setting_key, setting_value from settings')).toEqual([
      { setting_key: key, setting_value: 'theirs' },
    ]);
    const response = await backoffice.service.fetch('/api/admin/settings?section=none', {
      headers: { cookie: backoffice.superadmin.cookie },
    });
    expect(await response.text()).toContain(`{"settings":{"${key}":"theirs"}`);
  });

  test('and none of them gives a request a field that it does not have', async () => {
    const inherited =
      '{"__proto__":{"title":"T","id":"admin_0_nobody","username":"U","key":"k","value":"v"}}';
    expect(await backoffice.ask.post('/issues', inherited)).toEqual(refusal(400, 'Title is required'));
    expect(await backoffice.ask.put('/admins', inherited)).toEqual(refusal(400, 'Admin ID is required.'));
    expect(await backoffice.ask.put('/settings', inherited)).toEqual(
      refusal(400, 'key and value are required'),
    );
  });
});

describe('nesting', () => {
  /** Objects in objects; the body itself is the first level. */
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { deeper: nested(levels - 1) });

  test('of 32 levels is taken', async () => {
    expect(await backoffice.ask.put('/settings', { updates: { k: nested(30) } })).toEqual(success);
    expect(await backoffice.ask.post('/issues', { title: 'T', ignored: nested(31) })).toMatchObject({
      status: 200,
    });
  });

  test('of 33 levels is 400', async () => {
    const tooDeep = refusalLike(400, /32/);
    expect(await backoffice.ask.put('/settings', { updates: { k: nested(31) } })).toEqual(tooDeep);
    expect(await backoffice.ask.post('/issues', { title: 'T', ignored: nested(32) })).toEqual(tooDeep);
  });

  test('of a hundred thousand levels is 400, and the service serves on', async () => {
    const deep = `{"title":"T","ignored":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await backoffice.ask.post('/issues', deep)).toEqual(refusalLike(400, /32/));
    expect(await backoffice.ask.post('/issues', { title: 'T' })).toMatchObject({ status: 200 });
  });
});

describe('setting keys', () => {
  test('of 1,024 bytes are taken, of more are 400', async () => {
    const { ask } = backoffice;
    expect(await ask.put('/settings', { updates: { ['é'.repeat(512)]: 'v' } })).toEqual(success);
    expect(await ask.put('/settings', { updates: { ['é'.repeat(513)]: 'v' } })).toEqual(
      refusalLike(400, /1,024/),
    );
    expect(await ask.put('/settings', { key: 'k'.repeat(1025), value: 'v' })).toEqual(
      refusalLike(400, /1,024/),
    );
    // A batch is written whole or not at all.
    await ask.put('/settings', { updates: { fine: 'v', ['k'.repeat(1025)]: 'v' } });
    expect(await backoffice.sql("select from settings where setting_key = 'fine'")).toEqual([]);
  });
});

test('a password of 1,024 characters is taken, of more is 400', async () => {
  const { ask } = backoffice;
  expect(await ask.put('/admins', { ...target, password: '🐛'.repeat(1024) })).toEqual(success);
  const tooLong = refusalLike(400, /^Password .*1,024/);
  expect(await ask.put('/admins', { ...target, password: 'x'.repeat(1025) })).toEqual(tooLong);
  expect(await ask.post('/admins', { ...account, password: 'x'.repeat(1025) })).toEqual(tooLong);
});
