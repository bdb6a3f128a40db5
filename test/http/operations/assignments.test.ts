import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiAs, errorResponse, success } from '../../support/here/requests.ts';
import { backofficeHere, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

const time = '2026-03-01T09:30:00.000Z';
const unknownAssignee = errorResponse(400, 'There is no active admin with that id.');

let ada: SignedIn;

beforeAll(async () => {
  ada = await backoffice.service.signIn('user', 'ada@example.com');
});

beforeEach(async () => {
  await backoffice.sql('delete from issues');
  await backoffice.sql('delete from conversations');
  await backoffice.sql(
    `insert into issues (id, title, created_at, updated_at) select n, 'T', $1, $1 from generate_series(1, 3) as n`,
    [time],
  );
  await backoffice.sql(
    `insert into conversations (id, visitor_email, visitor_name, created_at, updated_at)
     select n::text, 'v@example.com', 'V', $1, $1 from generate_series(1, 3) as n`,
    [time],
  );
});

interface Answer {
  readonly changed: number;
  readonly change_id: number | null;
}

describe.for(['issues', 'conversations'] as const)('assigning %s', (noun) => {
  const history = noun === 'issues' ? 'issue_history' : 'conversation_history';
  const idOf = (n: number) => (noun === 'issues' ? n : String(n));
  const ids = [1, 2, 3].map(idOf);
  const patch = (body: object, api = backoffice.api) => api.patch(`/${noun}`, { ids, ...body });
  const assign = async (assignee_id: string | null, some = ids): Promise<Answer> =>
    (await patch({ ids: some, set: { assignee_id } })).body as Answer;
  const assignees = async () =>
    (await backoffice.sql<{ a: string | null }>(`select assignee_id as a from ${noun} order by id`)).map(
      ({ a }) => a,
    );
  const undo = async (change_id: number | null) =>
    (await backoffice.api.post('/changes/undo', { change_id })).body as object;

  test('is for any role, is recorded, and can be undone', async () => {
    await assign(backoffice.superadmin.id, [idOf(1)]);
    const { status, body } = await patch(
      { set: { assignee_id: ada.id } },
      apiAs(backoffice.service.url, ada),
    );
    expect({ status, body }).toMatchObject({ status: 200, body: { matched: 3, changed: 3 } });
    const { change_id } = body as Answer;
    expect(await assignees()).toEqual([ada.id, ada.id, ada.id]);
    expect(
      await backoffice.sql(`select field, before, after from ${history} where change_id = $1 order by id`, [
        change_id,
      ]),
    ).toEqual([
      { field: 'assignee_id', before: backoffice.superadmin.id, after: ada.id },
      { field: 'assignee_id', before: null, after: ada.id },
      { field: 'assignee_id', before: null, after: ada.id },
    ]);
    expect(
      await backoffice.sql(`select type, data from events where (data ->> 'change_id')::bigint = $1`, [
        change_id,
      ]),
    ).toEqual([
      { type: `${noun}.updated`, data: { change_id, ids, count: 3, set: { assignee_id: ada.id } } },
    ]);
    expect(await undo(change_id)).toMatchObject({ restored: 3, left: 0 });
    expect(await assignees()).toEqual([backoffice.superadmin.id, null, null]);
  });

  test('to null unassigns them, and the same assignee changes nothing', async () => {
    await assign(ada.id);
    expect(await assign(ada.id)).toMatchObject({ changed: 0, change_id: null });
    const { change_id } = await assign(null);
    expect(await assignees()).toEqual([null, null, null]);
    expect(await undo(change_id)).toMatchObject({ restored: 3, left: 0 });
    expect(await assignees()).toEqual([ada.id, ada.id, ada.id]);
  });

  test('only shows what it would do in a dry run', async () => {
    const dryRun = (assignee_id: string) => patch({ set: { assignee_id }, dry_run: true });
    expect((await dryRun(ada.id)).body).toMatchObject({ changed: 3, change_id: null });
    expect(await dryRun('admin_0_none')).toEqual(unknownAssignee);
    expect(await assignees()).toEqual([null, null, null]);
  });

  test('to an unknown or inactive admin is refused', async () => {
    const inactive = await backoffice.service.signIn('user');
    await backoffice.api.put('/admins/activity', { id: inactive.id, is_active: 0 });
    for (const assignee_id of ['admin_0_none', inactive.id])
      expect(await patch({ set: { assignee_id } })).toEqual(unknownAssignee);
    for (const assignee_id of ['', 7, {}])
      expect(await patch({ set: { assignee_id } })).toEqual(
        errorResponse(400, 'set.assignee_id must be the id of an admin, or null.'),
      );
    expect(await assignees()).toEqual([null, null, null]);
  });

  test('together with a status changes both', async () => {
    const status = noun === 'issues' ? 'In Progress' : 'pending';
    const { change_id } = (await patch({ set: { assignee_id: ada.id, status } })).body as Answer;
    expect(await backoffice.sql(`select distinct status, assignee_id from ${noun}`)).toEqual([
      { status, assignee_id: ada.id },
    ]);
    expect(await undo(change_id)).toMatchObject({ restored: 3, left: 0 });
    expect(await assignees()).toEqual([null, null, null]);
  });

  test('is left by an undo that would assign to a deleted admin', async () => {
    const leaver = await backoffice.service.signIn('user');
    await assign(leaver.id, ids.slice(0, 2));
    const { change_id } = await assign(ada.id);
    expect(await backoffice.api.delete(`/admins?id=${leaver.id}`)).toEqual(success);
    expect(await undo(change_id)).toMatchObject({ restored: 1, left: 2 });
    expect(await assignees()).toEqual([ada.id, ada.id, null]);
  });

  test('to admins who are deleted meanwhile leaves nobody who does not exist, and does not fail', async () => {
    const leavers = await Promise.all(Array.from({ length: 6 }, () => backoffice.service.signIn('user')));
    const answers = await Promise.all(
      leavers.flatMap(({ id }, index) => [
        patch({ ids: index % 2 === 0 ? ids : ids.toReversed(), set: { assignee_id: id } }),
        backoffice.api.delete(`/admins?id=${id}`),
      ]),
    );
    for (const answer of answers) if (answer.status !== 200) expect(answer).toEqual(unknownAssignee);
    expect(await assignees()).toEqual([null, null, null]);
  });
});

test('assigning a conversation does not move it in the list, and a change of its status still does', async () => {
  const updatedAt = () =>
    backoffice.sql<{ u: Date }>(`select updated_at as u from conversations where id = '1'`);
  await backoffice.api.patch('/conversations', { ids: ['1'], set: { assignee_id: ada.id } });
  expect(await updatedAt()).toEqual([{ u: new Date(time) }]);
  await backoffice.sql(`update conversations set status = 'pending' where id = '1'`);
  expect(await updatedAt()).not.toEqual([{ u: new Date(time) }]);
});

test('issues are assigned by a filter', async () => {
  await backoffice.api.put('/issues', { id: 2, status: 'Closed' });
  const { body } = await backoffice.api.patch('/issues', {
    filter: { status: 'Open' },
    set: { assignee_id: ada.id },
  });
  expect(body).toMatchObject({ matched: 2, changed: 2 });
});
