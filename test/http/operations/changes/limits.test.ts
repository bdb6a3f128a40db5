import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiAs, postWithKey } from '../../../support/here/requests.ts';
import { createIssues, statusesOf } from '../../../support/here/rows.ts';
import { backofficeHere, startTestService, type TestService } from '../../../support/here.ts';
import { withClient } from '../../../support/postgres/server.ts';
import { untilBlocked } from '../../../support/postgres.ts';

const backoffice = backofficeHere();
let limited: TestService;

beforeAll(async () => {
  const env = { DATABASE_URL: backoffice.service.databaseUrl };
  limited = await startTestService(env, { limits: { bulk: { atOnce: 1, waitMs: 50 } } });
});

afterAll(() => limited?.stop());

test('a bulk change or an undo that would start too late is 503 with Retry-After, and changes nothing', async () => {
  const { service, superadmin } = backoffice;
  const ids = await createIssues(backoffice, 101);
  const set = { status: 'Closed' };
  const api = apiAs(limited.url, superadmin);
  const { body } = await api.patch('/issues', { ids, set: { severity: 'High' } });
  const { change_id } = body as { change_id: number };

  await withClient(service.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select from issues where id = $1 for update', [ids[0]]);
    const first = api.patch('/issues', { ids, set });
    await untilBlocked(backoffice);
    expect(await api.patch('/issues', { ids, set: { status: 'Resolved' } })).toMatchObject({ status: 503 });
    for (const key of ['a', 'a']) {
      const undo = await postWithKey(limited.url, superadmin, '/changes/undo', { change_id }, key);
      expect(undo).toMatchObject({ status: 503, retryAfter: '5', replayed: false });
    }
    // Few rows need no turn.
    expect(await api.patch('/issues', { ids: ids.slice(1, 2), set: { status: 'Open' } })).toMatchObject({
      status: 200,
    });
    await client.query('rollback');
    expect(await first).toMatchObject({ status: 200, body: { changed: 101 } });
  });
  expect(await statusesOf(backoffice, ids)).toEqual({ Closed: 101 });
  const undo = await postWithKey(limited.url, superadmin, '/changes/undo', { change_id }, 'a');
  expect(undo).toMatchObject({ status: 200, replayed: false });
});
