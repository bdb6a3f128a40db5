import { describe, expect, test } from 'vitest';
import { checkIssueCounters } from '../../../src/db/analytics/issue-counters.ts';
import { maxPoolConnections } from '../../../src/db/connection/database.ts';
import { apiAs, errorResponse, postWithKey } from '../../support/here/requests.ts';
import { createIssues, historyOf, statusesOf } from '../../support/here/rows.ts';
import { backofficeHere, instanceHere } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();

const undo = (change_id: unknown) => backoffice.api.post('/changes/undo', { change_id });
const undone = (restored: number, left: number, change_id: unknown = expect.any(Number)) => ({
  status: 200,
  body: { success: true, restored, left, change_id: restored === 0 ? null : change_id },
});

/** Closes issues. Returns the id of the change. */
async function close(ids: number[]): Promise<number> {
  const set = { status: 'Closed' } as const;
  const { change_id } = await backoffice.superadmin.client.call('issues.update', { ids, set });
  return change_id ?? Number.NaN;
}

describe('undoing a change of issues', () => {
  test('puts back what it set, and is a change that can be undone', async () => {
    const ids = await createIssues(backoffice, 3);
    await backoffice.api.patch('/issues', { ids: ids.slice(0, 1), set: { status: 'In Progress' } });
    const change = await close(ids);
    const answer = await undo(change);
    expect(answer).toEqual(undone(3, 0));
    expect(await statusesOf(backoffice, ids)).toEqual({ 'In Progress': 1, Open: 2 });

    const { change_id } = answer.body as { change_id: number };
    expect(await historyOf(backoffice, ids[0] ?? 0)).toMatchObject([
      { change_id, field: 'status', before: 'Closed', after: 'In Progress' },
      { change_id: change, field: 'status', before: 'In Progress', after: 'Closed' },
      { field: 'status', before: 'Open', after: 'In Progress' },
    ]);
    const events = await backoffice.sql(
      `select type, data from events where (data ->> 'change_id')::bigint = $1`,
      [change_id],
    );
    expect(events).toEqual([{ type: 'issues.updated', data: { change_id, ids, count: 3, undoes: change } }]);

    expect(await undo(change_id)).toEqual(undone(3, 0));
    expect(await statusesOf(backoffice, ids)).toEqual({ Closed: 3 });
    expect(await checkIssueCounters(backoffice.service.services.databases.primary)).toEqual([]);
  });

  test('leaves what a colleague has changed since, and what is deleted', async () => {
    const [kept = 0, changed = 0, back = 0, bySql = 0, deleted = 0] = await createIssues(backoffice, 5);
    const change = await close([kept, changed, back, bySql, deleted]);
    await backoffice.api.put('/issues', { id: changed, status: 'Resolved' });
    // A colleague has closed it again: that is no longer this change.
    await backoffice.api.put('/issues', { id: back, status: 'Open' });
    await backoffice.api.put('/issues', { id: back, status: 'Closed' });
    await backoffice.sql(`update issues set status = 'In Progress' where id = $1`, [bySql]);
    await backoffice.api.delete(`/issues?id=${deleted}`);
    expect(await undo(change)).toEqual(undone(1, 4));
    const statuses = await backoffice.sql('select status from issues where id = any($1) order by id', [
      [kept, changed, back, bySql],
    ]);
    expect(statuses.map(({ status }) => status)).toEqual(['Open', 'Resolved', 'Closed', 'In Progress']);
  });

  test('puts back each field by itself', async () => {
    const [id = 0] = await createIssues(backoffice, 1, 'Before');
    const { change_id } = await backoffice.superadmin.client.call('issues.update', {
      ids: [id],
      set: { title: 'After', severity: 'High', description: 'New' },
    });
    await backoffice.api.patch('/issues', { ids: [id], set: { severity: 'Critical' } });
    expect(await undo(change_id)).toEqual(undone(1, 1));
    expect(await backoffice.superadmin.client.call('issues.list', { id })).toMatchObject({
      issues: [{ title: 'Before', severity: 'Critical', description: '' }],
    });
  });

  test('twice restores nothing more', async () => {
    const ids = await createIssues(backoffice, 2);
    const change = await close(ids);
    await undo(change);
    const changes = () => backoffice.sql('select count(*) from changes');
    const before = await changes();
    expect(await undo(change)).toEqual(undone(0, 2));
    expect(await changes()).toEqual(before);
    expect(await statusesOf(backoffice, ids)).toEqual({ Open: 2 });
  });

  test('also undoes the change of a single status', async () => {
    const [id = 0] = await createIssues(backoffice, 1);
    await backoffice.api.put('/issues', { id, status: 'Resolved' });
    const [entry] = await historyOf(backoffice, id);
    expect(await undo(String(entry?.change_id))).toEqual(undone(1, 0));
    expect(await statusesOf(backoffice, [id])).toEqual({ Open: 1 });
  });

  test('goes further back, change by change, and leaves what somebody has changed between', async () => {
    const [id = 0] = await createIssues(backoffice, 1);
    const status = async () =>
      (await backoffice.sql('select status from issues where id = $1', [id]))[0]?.status;
    const set = async (value: string) => {
      const { body } = await backoffice.api.patch('/issues', { ids: [id], set: { status: value } });
      return (body as { change_id: number }).change_id;
    };
    const first = await set('In Progress');
    const second = await set('Resolved');
    expect(await undo(first)).toEqual(undone(0, 1));
    const { body } = await undo(second);
    await undo((body as { change_id: number }).change_id);
    expect(await status()).toBe('Resolved');
    expect(await undo(second)).toEqual(undone(1, 0));
    expect(await undo(first)).toEqual(undone(1, 0));
    expect(await status()).toBe('Open');

    const third = await set('Closed');
    await undo(await set('Resolved'));
    await backoffice.api.put('/issues', { id, status: 'In Progress' });
    await backoffice.api.put('/issues', { id, status: 'Closed' });
    expect(await undo(third)).toEqual(undone(0, 1));
    expect(await status()).toBe('Closed');
  });

  test('at the same time restores once', async () => {
    const ids = await createIssues(backoffice, 50);
    const change = await close(ids);
    const answers = await Promise.all(Array.from({ length: 6 }, () => undo(change)));
    expect(answers.filter(({ body }) => (body as { restored: number }).restored === 50)).toHaveLength(1);
    expect(answers).toEqual(expect.arrayContaining([undone(50, 0), undone(0, 50)]));
  });
});

test('the author of a change may undo it for 24 hours, a superadmin any change at any time', async () => {
  const { service, sql } = backoffice;
  const ids = await createIssues(backoffice, 1);
  const user = await service.signIn('user');
  const asUser = apiAs(service.url, user);
  const { change_id: own } = await user.client.call('issues.update', { ids, set: { status: 'Closed' } });
  const others = apiAs(service.url, await service.signIn('admin'));
  const notOwn = errorResponse(403, 'Only a superadmin can undo the change of another person.');
  expect(await others.post('/changes/undo', { change_id: own })).toEqual(notOwn);
  await sql(`update changes set created_at = now() - interval '25 hours' where id = $1`, [own]);
  expect(await asUser.post('/changes/undo', { change_id: own })).toEqual(
    errorResponse(403, 'You can undo your own changes for 24 hours. Ask a superadmin to undo an older one.'),
  );
  await sql(`update changes set created_at = now() - interval '23 hours' where id = $1`, [own]);
  expect(await asUser.post('/changes/undo', { change_id: own })).toEqual(undone(1, 0));

  const { change_id: old } = await user.client.call('issues.update', { ids, set: { status: 'Closed' } });
  await sql(`update changes set created_at = now() - interval '300 days' where id = $1`, [old]);
  expect(await undo(old)).toEqual(undone(1, 0));
});

// A call with a key has a connection from its start. With all of them waiting for a turn, nobody could take one.
test('more undos with an Idempotency-Key than connections, beside bulk changes, all succeed', async () => {
  const { service, superadmin } = backoffice;
  const ids = await createIssues(backoffice, 101);
  const change_id = await close(ids);
  const undos = Array.from({ length: maxPoolConnections + 2 }, (_, index) =>
    postWithKey(service.url, superadmin, '/changes/undo', { change_id }, `undo ${index}`),
  );
  const others = [1, 2, 3, 4, 5, 6].map((index) =>
    backoffice.api.patch('/issues', { ids, set: { category: `Category ${index}` } }),
  );
  const answers = await Promise.all([...undos, ...others]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

describe('on a busy instance', () => {
  const limited = instanceHere(backoffice, {}, { limits: { bulk: { atOnce: 1, waitMs: 50 } } });

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
});
