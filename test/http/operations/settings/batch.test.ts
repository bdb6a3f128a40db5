import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, success } from '../../../support/here/requests.ts';
import { auditRecordsOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();
const put = (body: object) => backoffice.api.put('/settings', body);
const wrongZone = 'The setting timezone must be a zone of the IANA database, such as Europe/Berlin.';

beforeEach(async () => {
  await backoffice.sql('truncate settings');
  await backoffice.sql(
    `insert into settings (setting_key, setting_value) values ('motto', 'Old'), ('name', 'N')`,
  );
});

async function stored(): Promise<Record<string, string>> {
  const { settings } = await backoffice.superadmin.client.call('settings.show', { section: 'none' });
  return settings;
}

describe('PUT settings with check', () => {
  test('refuses an invalid value of a setting that the service reads, and names it', async () => {
    expect(await put({ key: 'timezone', value: 'Mars/Phobos', check: true })).toEqual(
      errorResponse(400, wrongZone),
    );
    expect(await put({ updates: { motto: 'x', timezone: 'Mars/Phobos' }, check: true })).toEqual(
      errorResponse(400, wrongZone),
    );
    await expect(
      backoffice.superadmin.client.call('settings.update', {
        updates: { accent_color: 'red' },
        check: true,
      }),
    ).rejects.toMatchObject({ status: 400, param: 'updates.accent_color' });
    expect(await stored()).toEqual({ motto: 'Old', name: 'N' });
  });

  test('takes any other value, and without it every value, as the contract says', async () => {
    expect(await put({ updates: { timezone: 'Asia/Tokyo', other: 'Mars' }, check: true })).toEqual(success);
    expect(await put({ key: 'accent_color', value: 'red' })).toEqual(success);
    expect(await put({ key: 'timezone', value: 'Mars/Phobos', check: false })).toEqual(success);
    expect(await stored()).toMatchObject({ timezone: 'Mars/Phobos', other: 'Mars', accent_color: 'red' });
    expect(await put({ key: 'a', value: 'b', check: 'yes' })).toEqual(
      errorResponse(400, 'check must be true or false.'),
    );
  });
});

describe('PUT settings with remove', () => {
  test('writes and deletes together, and records both', async () => {
    const request = { updates: { fresh: '1' }, remove: ['motto', 'unknown', 'motto'] };
    const expected = { motto: 'Old', fresh: null };
    expect(await put({ ...request, expected })).toEqual(success);
    expect(await stored()).toEqual({ name: 'N', fresh: '1' });
    const records = await auditRecordsOf(backoffice, 'settings.update');
    expect(records.slice(-2)).toMatchObject([
      { event: 'setting.updated', subject_id: 'fresh' },
      { event: 'setting.deleted', subject_id: 'motto', before: { is_set: true }, after: null },
    ]);
  });

  test('deletes nothing that is no longer what the caller saw', async () => {
    expect(await put({ updates: {}, remove: ['motto'], expected: { motto: 'Older' } })).toEqual(
      errorResponse(409, 'Changed meanwhile: motto has another value now.'),
    );
    expect(await stored()).toEqual({ motto: 'Old', name: 'N' });
  });

  test('writes a key that is to be written and deleted', async () => {
    expect(await put({ updates: { motto: 'New' }, remove: ['motto', 'name'] })).toEqual(success);
    expect(await stored()).toEqual({ motto: 'New' });
  });
});

test('GET settings tells of each setting what is asked for with `include=details`', async () => {
  await put({ key: 'password', value: 'correct horse', secret: true });
  const { settings, details } = await backoffice.superadmin.client.call('settings.show', {
    section: 'none',
    include: 'details',
  });
  expect(settings).toEqual({ motto: 'Old', name: 'N' });
  const updated_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const { email } = backoffice.superadmin;
  expect(details).toEqual({
    motto: { is_secret: false, updated_at, updated_by: null },
    name: { is_secret: false, updated_at, updated_by: null },
    password: { is_secret: true, updated_at, updated_by: email },
  });
  const authorOf = async (key: string) => {
    const input = { section: 'none', include: 'details' };
    const { details = {} } = await backoffice.superadmin.client.call('settings.show', input);
    return details[key]?.updated_by;
  };
  const colleague = await backoffice.service.signIn('user');
  await colleague.client.call('settings.update', { updates: { motto: 'Newer', name: 'O' } });
  await put({ key: 'name', value: 'P' });
  expect([await authorOf('motto'), await authorOf('name')]).toEqual([colleague.email, email]);
  await backoffice.sql(`update settings set setting_value = 'SQL' where setting_key = 'motto'`);
  expect(await authorOf('motto')).toBeNull();
  expect(await backoffice.api.get('/settings?section=none')).toMatchObject({
    body: expect.not.objectContaining({ details: expect.anything() }),
  });
});
