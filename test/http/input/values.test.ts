import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, errorResponseLike, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
const account = { email: 'new@example.com', password: 'long enough' };
const target = { id: 'admin_0_nobody', username: 'U' };

const notStrings = [123, 0, true, false, {}, { a: 1 }, [], ['text']];

beforeEach(async () => {
  await backoffice.sql('truncate settings');
});

describe('a wrong type in a field with an error text in the contract gives that text', () => {
  test.for([
    ['post', '/issues', 'title', {}, 'Title is required'],
    ['post', '/conversations', 'visitor_email', visitor, 'Visitor email and name are required.'],
    ['post', '/conversations', 'visitor_name', visitor, 'Visitor email and name are required.'],
    ['post', '/admins', 'email', account, 'Email and password are required.'],
    ['post', '/admins', 'password', account, 'Email and password are required.'],
    ['put', '/admins', 'id', target, 'Admin ID is required.'],
  ] as const)('%s %s: %s', async ([method, path, field, others, text]) => {
    for (const value of [null, ...notStrings]) {
      expect(
        await backoffice.api[method](path, { ...others, [field]: value }),
        JSON.stringify(value),
      ).toEqual(errorResponse(400, text));
    }
  });
});

describe('a wrong type in another field is 400 with a sentence that names the field', () => {
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
    for (const value of notStrings) {
      expect(
        await backoffice.api[method](path, { ...others, [field]: value }),
        JSON.stringify(value),
      ).toEqual(errorResponseLike(400, new RegExp(`^${field} .*\\.$`)));
    }
  });
});

test('an e-mail with control characters is 400, and any other text is an e-mail', async () => {
  const { api } = backoffice;
  for (const email of ['a@b.c\r\nBcc: d@e.f', 'a\tb@c.d', 'a\u0085b@c.d', 'a\u007fb@c.d', 'moc.b@\u202ea']) {
    const refused = errorResponse(400, 'email must not contain control characters.');
    expect(await api.post('/admins', { ...account, email })).toEqual(refused);
    expect(await api.put('/admins', { id: target.id, email })).toEqual(refused);
  }
  for (const email of ['not an address', 'ünï@çödé', 'a,b@c.d']) {
    expect(await api.post('/admins', { ...account, email })).toMatchObject({ status: 200 });
  }
});

test('a name that others see has no control characters, which could write to their terminals or hide what it is', async () => {
  const { api } = backoffice;
  const reply = { shortcut: 'control', content: 'Hello' };
  for (const name of ['\u001b[31mroot', 'a\u009b2Jb', 'a\r\nb', 'ada\u202egnp', 'a\u2066b']) {
    const refused = (field: string) => errorResponse(400, `${field} must not contain control characters.`);
    expect(await api.post('/admins', { ...account, email: 'n@b.c', username: name })).toEqual(
      refused('username'),
    );
    expect(await api.put('/admins', { id: target.id, username: name })).toEqual(refused('username'));
    expect(await api.post('/saved-replies', { ...reply, title: name })).toEqual(refused('title'));
    const factor = { type: 'totp', password: account.password, name };
    for (const [path, body] of [
      ['/factors', factor],
      ['/tokens', { name }],
      ['/device', { name }],
    ] as const)
      expect(await api.post(path, body)).toEqual(refused('name'));
  }
  // Blank ends are trimmed, and the marks of right-to-left languages are part of names.
  for (const [index, [username, stored]] of [
    [' Ada\t\n', 'Ada'],
    ['\u0639\u200f!', '\u0639\u200f!'],
  ].entries())
    expect(await api.post('/admins', { ...account, email: `named-${index}@b.c`, username })).toMatchObject({
      body: { admin: { username: stored } },
    });
});

test('null in an optional text counts as omitted', async () => {
  const { api } = backoffice;
  const nulls = { category: null, severity: null, description: null, steps_to_reproduce: null };
  expect(await api.post('/issues', { title: 'Nulls', ...nulls })).toMatchObject({ status: 200 });
  expect(
    await backoffice.sql("select category, severity, description from issues where title = 'Nulls'"),
  ).toEqual([{ category: 'Other', severity: 'Low', description: '' }]);
  expect(await api.put('/admins', { ...target, email: null, password: null })).toEqual(success);
});

describe('a NUL character is 400 in every field', () => {
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
    expect(await backoffice.api[method](path, body)).toEqual(errorResponseLike(400, /NUL/));
  });

  test('and in a query string', async () => {
    expect(await backoffice.api.get('/issues?period=%00')).toEqual(errorResponseLike(400, /period.*NUL/));
    expect(await backoffice.api.delete('/admins?id=%00')).toEqual(errorResponseLike(400, /id.*NUL/));
  });
});

test('a lone surrogate is replaced, in values and in keys', async () => {
  expect(
    await backoffice.api.put('/settings', '{"updates":{"a":"x\\ud800y","b\\udc00":"\\ud83d\\udc1b"}}'),
  ).toEqual(success);
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  expect(settings).toEqual({ a: 'x\u{fffd}y', 'b\u{fffd}': '🐛' });
});

test('a password of 1,024 characters is accepted, a longer one is 400', async () => {
  const { api } = backoffice;
  expect(await api.put('/admins', { ...target, password: '🐛'.repeat(1024) })).toEqual(success);
  const tooLong = errorResponseLike(400, /^Password .*1,024/);
  expect(await api.put('/admins', { ...target, password: 'x'.repeat(1025) })).toEqual(tooLong);
  expect(await api.post('/admins', { ...account, password: 'x'.repeat(1025) })).toEqual(tooLong);
});
