import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, errorResponseLike, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

beforeEach(async () => {
  await backoffice.sql('truncate settings');
});

describe('special names are ordinary keys', () => {
  test.for(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('%s', async (key) => {
    expect(await backoffice.api.put('/settings', `{"updates":{"${key}":"theirs"}}`)).toEqual(success);
    expect(await backoffice.sql('select setting_key, setting_value from settings')).toEqual([
      { setting_key: key, setting_value: 'theirs' },
    ]);
    const response = await backoffice.service.fetch('/api/admin/settings?section=none', {
      headers: { cookie: backoffice.superadmin.cookie },
    });
    expect(await response.text()).toContain(`{"settings":{"${key}":"theirs"}`);
  });

  test('__proto__ does not add fields to a request', async () => {
    const inherited =
      '{"__proto__":{"title":"T","id":"admin_0_nobody","username":"U","key":"k","value":"v"}}';
    expect(await backoffice.api.post('/issues', inherited)).toEqual(errorResponse(400, 'Title is required'));
    expect(await backoffice.api.put('/admins', inherited)).toEqual(
      errorResponse(400, 'Admin ID is required.'),
    );
    expect(await backoffice.api.put('/settings', inherited)).toEqual(
      errorResponse(400, 'key and value are required'),
    );
  });
});

describe('nesting', () => {
  /** Nests objects. The body itself is the first level. */
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { deeper: nested(levels - 1) });

  test('of 32 levels is accepted', async () => {
    expect(await backoffice.api.put('/settings', { updates: { k: nested(30) } })).toEqual(success);
    expect(await backoffice.api.post('/issues', { title: 'T', ignored: nested(31) })).toMatchObject({
      status: 200,
    });
  });

  test('of 33 levels is 400', async () => {
    const tooDeep = errorResponseLike(400, /32/);
    expect(await backoffice.api.put('/settings', { updates: { k: nested(31) } })).toEqual(tooDeep);
    expect(await backoffice.api.post('/issues', { title: 'T', ignored: nested(32) })).toEqual(tooDeep);
  });

  test('of 100,000 levels is 400, and the service keeps running', async () => {
    const deep = `{"title":"T","ignored":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await backoffice.api.post('/issues', deep)).toEqual(errorResponseLike(400, /32/));
    expect(await backoffice.api.post('/issues', { title: 'T' })).toMatchObject({ status: 200 });
  });
});

describe('setting keys', () => {
  test('of 1,024 bytes are accepted, longer ones are 400', async () => {
    const { api } = backoffice;
    expect(await api.put('/settings', { updates: { ['é'.repeat(512)]: 'v' } })).toEqual(success);
    expect(await api.put('/settings', { updates: { ['é'.repeat(513)]: 'v' } })).toEqual(
      errorResponseLike(400, /1,024/),
    );
    expect(await api.put('/settings', { key: 'k'.repeat(1025), value: 'v' })).toEqual(
      errorResponseLike(400, /1,024/),
    );
    // A batch writes all of its settings or none.
    await api.put('/settings', { updates: { fine: 'v', ['k'.repeat(1025)]: 'v' } });
    expect(await backoffice.sql("select from settings where setting_key = 'fine'")).toEqual([]);
  });
});
