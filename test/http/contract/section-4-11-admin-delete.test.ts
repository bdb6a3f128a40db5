import { expect, test } from 'vitest';
import { apiAs, errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const exists = async (id: string) =>
  (await backoffice.sql('select from admins where id = $1', [id])).length === 1;

async function insertAdmin(email: string, role = 'user'): Promise<string> {
  const [row] = await backoffice.sql<{ id: string }>(
    "insert into admins (email, username, role) values ($1, 'Target', $2) returning id",
    [email, role],
  );
  return row?.id ?? '';
}

test('section 4.11: only the admin with that id is deleted', async () => {
  const gone = await insertAdmin('gone@example.com');
  const stays = await insertAdmin('stays@example.com');
  expect(await backoffice.api.delete(`/admins?id=${gone}`)).toEqual(success);
  expect([await exists(gone), await exists(stays)]).toEqual([false, true]);
});

test('section 4.11: an unknown or already deleted id succeeds', async () => {
  const id = await insertAdmin('twice@example.com');
  expect(await backoffice.api.delete(`/admins?id=${id}`)).toEqual(success);
  expect(await backoffice.api.delete(`/admins?id=${id}`)).toEqual(success);
  expect(await backoffice.api.delete('/admins?id=nobody')).toEqual(success);
});

test('section 4.11: an admin may delete an admin and a superadmin', async () => {
  const admin = apiAs(backoffice.service.url, await backoffice.service.signIn('admin'));
  const id = await insertAdmin('mighty@example.com', 'superadmin');
  expect(await admin.delete(`/admins?id=${id}`)).toEqual(success);
  expect(await exists(id)).toBe(false);
});

test('section 4.11: callers cannot delete their own account', async () => {
  for (const role of ['superadmin', 'admin'] as const) {
    const someone = await backoffice.service.signIn(role);
    const answer = await apiAs(backoffice.service.url, someone).delete(`/admins?id=${someone.id}`);
    expect(answer).toEqual(errorResponse(403, 'You cannot delete your own account.'));
    expect(await exists(someone.id)).toBe(true);
  }
});

test('section 4.11: the own account is found by its current email', async () => {
  const someone = await backoffice.service.signIn('admin');
  const own = apiAs(backoffice.service.url, someone);
  await own.put('/admins', { id: someone.id, email: 'renamed@example.com' });
  expect(await own.delete(`/admins?id=${someone.id}`)).toEqual(
    errorResponse(403, 'You cannot delete your own account.'),
  );
});

test('section 4.11: the id comes from the query, not from a body', async () => {
  const id = await insertAdmin('in-body@example.com');
  const response = await backoffice.service.fetch('/api/admin/admins', {
    method: 'DELETE',
    headers: { cookie: backoffice.superadmin.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: 'Admin ID is required.' });
  expect(await exists(id)).toBe(true);
});
