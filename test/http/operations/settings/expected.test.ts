import { beforeEach, describe, expect, test } from 'vitest';
import { type ApiResponse, atOnce, errorResponse, success } from '../../../support/here/requests.ts';
import { auditRecordsOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';
import { withClient } from '../../../support/postgres/server.ts';
import { untilBlocked } from '../../../support/postgres.ts';

const backoffice = backofficeHere();

beforeEach(async () => {
  await backoffice.sql('truncate settings');
  await backoffice.sql(
    `insert into settings (setting_key, setting_value) values ('motto', 'Old'), ('name', 'N')`,
  );
});

const put = (body: object) => backoffice.api.put('/settings', body);
const changed = (what: string) => errorResponse(409, `Changed meanwhile: ${what}.`);

async function stored(): Promise<Record<string, string>> {
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  return settings;
}

/** Expects the answer, and that nothing was written or recorded. */
async function expectRefusal(answer: ApiResponse, body: object): Promise<void> {
  const before = [await stored(), await auditRecordsOf(backoffice, 'settings.update')];
  expect(await put(body)).toEqual(answer);
  expect([await stored(), await auditRecordsOf(backoffice, 'settings.update')]).toEqual(before);
}

describe('PUT one setting with the value that the caller saw', () => {
  test('writes it if it still has that value, or is still not set', async () => {
    expect(await put({ key: 'motto', value: 'New', expected: 'Old' })).toEqual(success);
    expect(await put({ key: 'fresh', value: '1', expected: null })).toEqual(success);
    expect(await stored()).toEqual({ motto: 'New', name: 'N', fresh: '1' });
  });

  test.for([
    [{ key: 'motto', value: 'New', expected: 'Another' }, 'motto has another value now'],
    [{ key: 'motto', value: 'New', expected: '' }, 'motto has another value now'],
    [{ key: 'motto', value: 'New', expected: null }, 'motto is set now'],
    [{ key: 'unknown', value: 'New', expected: 'Old' }, 'unknown is no longer set'],
  ] as const)('writes nothing for %j: %s', async ([body, what]) => {
    await expectRefusal(changed(what), body);
  });
});

describe('PUT a batch of settings with the values that the caller saw', () => {
  test('writes all or nothing, and compares keys that it does not write too', async () => {
    const updates = { motto: 'New', ['__proto__']: 'p', fresh: 1 };
    expect(await put({ updates, expected: { motto: 'Old', name: 'N', ['__proto__']: null } })).toEqual(
      success,
    );
    expect(await put({ updates: { name: 'O' }, expected: { ['__proto__']: 'p' } })).toEqual(success);
    expect(Object.entries(await stored())).toEqual(
      expect.arrayContaining([
        ['motto', 'New'],
        ['name', 'O'],
        ['__proto__', 'p'],
      ]),
    );
    await expectRefusal(changed('name has another value now'), {
      updates: { motto: 'x' },
      expected: { motto: 'New', name: 'N' },
    });
  });

  test('names the settings that differ, without their values', async () => {
    await expectRefusal(changed('motto is set now; name has another value now; a\uFFFDb is no longer set'), {
      updates: { motto: 'x' },
      expected: { motto: null, name: 'M', 'a\u001bb': 's3cret' },
    });
  });
});

describe('of changes at once with the same expectation', () => {
  test.for([
    [{ key: 'motto', value: 'New', expected: 'Old' }, 'motto has another value now'],
    [{ key: 'fresh', value: 'New', expected: null }, 'fresh is set now'],
    [{ updates: { fresh: 'New' }, expected: { fresh: null } }, 'fresh is set now'],
  ] as const)('one succeeds: %j', async ([body, what]) => {
    const answers = await atOnce(10, () => put(body));
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(changed(what)));
  });

  test('none overwrites what plain SQL inserts at the same time', async () => {
    await withClient(backoffice.service.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query(`insert into settings (setting_key, setting_value) values ('fresh', 'SQL')`);
      const answer = put({ key: 'fresh', value: 'New', expected: null });
      await untilBlocked(backoffice);
      await client.query('commit');
      expect(await answer).toEqual(changed('fresh is set now'));
      expect(await stored()).toMatchObject({ fresh: 'SQL' });
    });
  });

  test('two that each change what the other compares: one succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      await put({ updates: { one: 'a', two: 'a' } });
      const answers = await Promise.all([
        put({ updates: { one: 'b' }, expected: { two: 'a' } }),
        put({ updates: { two: 'b' }, expected: { one: 'a' } }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });

  test('batches with and without it, in opposite orders, do not deadlock', async () => {
    const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
    const answers = await atOnce(20, (index) => {
      const order = index % 2 ? keys : keys.toReversed();
      const updates = Object.fromEntries(order.map((key) => [key, `batch ${index}`]));
      const expected = Object.fromEntries(order.slice(0, 100).map((key) => [key, null]));
      return put(index % 3 ? { updates } : { updates, expected });
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const values = new Set(
      Object.entries(await stored()).flatMap(([key, value]) => (key.startsWith('key') ? [value] : [])),
    );
    expect(values.size).toBe(1);
  });
});
