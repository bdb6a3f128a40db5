import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

beforeEach(async () => {
  await backoffice.sql('delete from settings');
});

const put = (body: unknown) => backoffice.api.put('/settings', body);

async function stored(): Promise<Record<string, string>> {
  const rows = await backoffice.sql('select setting_key, setting_value from settings');
  return Object.fromEntries(rows.map((row) => [row.setting_key, row.setting_value]));
}

describe('section 4.7: a batch', () => {
  test('writes each pair, with new and existing keys', async () => {
    await put({ updates: { a: '1', b: '2' } });
    expect(await put({ updates: { b: '3', c: '4' } })).toEqual(success);
    expect(await stored()).toEqual({ a: '1', b: '3', c: '4' });
  });

  test('stores keys as given and does not trim values', async () => {
    const updates = { ' key with-dashes.and ünïcode 🐛': '  value \n', '': 'empty key', 'A b': '' };
    expect(await put({ updates })).toEqual(success);
    expect(await stored()).toEqual(updates);
  });

  test('converts values to strings', async () => {
    expect(await put({ updates: { n: 5, f: 1.5, t: true, z: null, s: '' } })).toEqual(success);
    expect(await stored()).toEqual({ n: '5', f: '1.5', t: 'true', z: 'null', s: '' });
  });

  test('stores objects and arrays as JSON text', async () => {
    expect(await put({ updates: { o: { a: [1] }, l: ['x', null] } })).toEqual(success);
    expect(await stored()).toEqual({ o: '{"a":[1]}', l: '["x",null]' });
  });

  test('takes precedence over key and value', async () => {
    expect(await put({ updates: { a: '1' }, key: 'b', value: '2' })).toEqual(success);
    expect(await stored()).toEqual({ a: '1' });
  });

  test('takes precedence even when it is empty', async () => {
    expect(await put({ updates: {}, key: 'b', value: '2' })).toEqual(success);
    expect(await stored()).toEqual({});
  });
});

describe('section 4.7: a single setting', () => {
  test('can be written and overwritten', async () => {
    await put({ key: 'site_name', value: 'One' });
    expect(await put({ key: 'site_name', value: 'Two' })).toEqual(success);
    expect(await stored()).toEqual({ site_name: 'Two' });
  });

  test('removes every character other than ASCII letters, digits and underscore from its key', async () => {
    expect(await put({ key: ' Site-Name_2.ü/é🐛٣ ', value: 'x' })).toEqual(success);
    expect(await stored()).toEqual({ SiteName_2: 'x' });
  });

  test('converts its key to a string', async () => {
    expect(await put({ key: 42, value: 'x' })).toEqual(success);
    expect(await stored()).toEqual({ 42: 'x' });
  });

  test.for([
    ['trimmed', ' \n x y \t', 'x y'],
    ['a number', 5, '5'],
    ['zero', 0, '0'],
    ['false', false, 'false'],
    ['null, which is not undefined', null, 'null'],
    ['an empty string', '', ''],
    ['blank', '   ', ''],
  ] as const)('converts its value to a string and trims it: %s', async ([, value, text]) => {
    expect(await put({ key: 'k', value })).toEqual(success);
    expect(await stored()).toEqual({ k: text });
  });

  test.for([
    ['missing', { value: 'x' }],
    ['empty', { key: '', value: 'x' }],
    ['null', { key: null, value: 'x' }],
  ] as const)('with a key that is %s gives 400 and writes nothing', async ([, body]) => {
    expect(await put(body)).toEqual(errorResponse(400, 'key and value are required'));
    expect(await stored()).toEqual({});
  });

  test('with an undefined value gives 400 and writes nothing', async () => {
    expect(await put({ key: 'k' })).toEqual(errorResponse(400, 'key and value are required'));
    expect(await stored()).toEqual({});
  });

  test.for(['text', 5, true, null, ['a']])('is meant if updates is not an object: %j', async (updates) => {
    expect(await put({ updates })).toEqual(errorResponse(400, 'key and value are required'));
    expect(await put({ updates, key: 'k', value: 'v' })).toEqual(success);
    expect(await stored()).toEqual({ k: 'v' });
  });
});
