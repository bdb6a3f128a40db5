import { expect, test } from 'vitest';
import { errorResponse } from '../../../support/here/requests.ts';
import { createIssues, historyOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

test('the history is newest first, page by page, with who changed what and through which interface', async () => {
  const { api, service, superadmin } = backoffice;
  const [id = 0] = await createIssues(backoffice, 1);
  const { client } = superadmin;
  await api.put('/issues', { id, status: 'In Progress' });
  await api.put('/issues', { id, status: 'In Progress' });
  const token = await service.createToken('user');
  await service.fetch('/api/admin/issues', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token.secret}` },
    body: JSON.stringify({ ids: [id], set: { status: 'Closed', category: 'Mail' } }),
  });
  const history = await historyOf(backoffice, id);
  expect(history.map(({ field, before, after, actor, door }) => [field, before, after, actor, door])).toEqual(
    [
      expect.arrayContaining(['token:tests', 'http']),
      expect.arrayContaining(['token:tests', 'http']),
      ['status', 'Open', 'In Progress', superadmin.email, 'http'],
    ],
  );
  const first = await client.call('issues.history', { id, limit: 2 });
  expect(first.history).toEqual(history.slice(0, 2));
  const second = await client.call('issues.history', { id, limit: 2, cursor: first.nextCursor ?? '' });
  expect(second).toEqual({ history: history.slice(2), nextCursor: null });
});

test('an unknown issue has no history', async () => {
  for (const id of ['999999999', 'none', '-1'])
    expect(await backoffice.api.get(`/issues/history?id=${id}`)).toEqual({
      status: 200,
      body: { history: [] },
    });
  expect(await backoffice.api.get('/issues/history')).toEqual(errorResponse(400, 'id is required'));
});
