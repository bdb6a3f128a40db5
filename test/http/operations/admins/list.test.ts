import { beforeAll, expect, test } from 'vitest';
import type { InputOf } from '../../../../src/contract/registry.ts';
import { enrolApp } from '../../../support/here/accounts.ts';
import { apiAs, errorResponse } from '../../../support/here/requests.ts';
import { backofficeHere, type SignedIn } from '../../../support/here.ts';

const backoffice = backofficeHere();
let ada: SignedIn;
let ben: SignedIn;

beforeAll(async () => {
  ada = await backoffice.service.signIn('admin', 'ada@example.com');
  ben = await backoffice.service.signIn('user', 'ben@example.com');
  await backoffice.superadmin.client.call('admins.changeActivity', { id: ben.id, is_active: 0 });
});

const list = (input: InputOf<'admins.list'>) => backoffice.superadmin.client.call('admins.list', input);

test('lists the admins of some roles, and those that are active', async () => {
  const found = async (input: InputOf<'admins.list'>) => {
    const { admins, pagination } = await list(input);
    expect(pagination.total).toBe(admins.length);
    return admins.map(({ id }) => id);
  };
  expect(await found({ role: 'admin,user' })).toEqual([ada.id, ben.id]);
  expect(await found({ role: 'admin,user', is_active: '1' })).toEqual([ada.id]);
  expect(await found({ is_active: '0', q: 'ben' })).toEqual([ben.id]);
  expect(await found({ is_active: '0', q: 'ada' })).toEqual([]);
});

test('tells when each admin signed in and how many factors it has, to those who may see sessions', async () => {
  const { id } = backoffice.superadmin;
  const row = async () => {
    const { admins } = await list({ include: 'sign_in' });
    return { ada: admins.find((admin) => admin.id === ada.id), me: admins.find((admin) => admin.id === id) };
  };
  await enrolApp(ada);
  const { ada: before, me } = await row();
  expect(before?.sign_in?.factors).toBe(1);
  expect(me?.sign_in?.factors).toBe(0);
  expect(Math.abs(Date.parse(String(before?.sign_in?.last_at)) - Date.now())).toBeLessThan(120_000);
  await backoffice.sql('delete from sign_in_networks where admin_id = $1', [ada.id]);
  expect((await row()).ada?.sign_in).toEqual({ last_at: null, factors: 1 });
  const user = await backoffice.service.signIn('user');
  expect(await apiAs(backoffice.service.url, user).get('/admins?include=sign_in')).toEqual(
    errorResponse(403, 'Insufficient permissions.'),
  );
  expect((await apiAs(backoffice.service.url, user).get('/admins')).status).toBe(200);
});
