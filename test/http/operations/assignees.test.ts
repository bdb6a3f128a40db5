import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiOfToken } from '../../support/here/accounts.ts';
import { apiAs, ask, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

const nouns = ['issues', 'conversations'] as const;
const time = '2026-03-01T09:30:00.000Z';
const unknownAssignee = errorResponse(400, 'There is no active admin with that id.');

let ada: SignedIn;

beforeAll(async () => {
  ada = await backoffice.service.signIn('user', 'ada@example.com');
});

beforeEach(async () => {
  await backoffice.sql('delete from issues');
  await backoffice.sql('delete from conversations');
  const rows = '(1, $1, $2::timestamptz, $2), (2, null, $2, $2), (3, $3, $2, $2)';
  const values = [backoffice.superadmin.id, time, ada.id];
  await backoffice.sql(
    `insert into issues (title, id, assignee_id, created_at, updated_at) select 'T', * from (values ${rows})`,
    values,
  );
  await backoffice.sql(
    `insert into conversations (visitor_email, visitor_name, id, assignee_id, created_at, updated_at)
     select 'v@example.com', 'V', * from (values ${rows})`,
    values,
  );
});

async function rowsOf(path: string, api = backoffice.api) {
  const { body } = await api.get(`/${path}`);
  return Object.values(body as object)[0] as { id: string | number; assignee?: object | null }[];
}

const identity = ({ id, email }: SignedIn) => ({ id, email, username: email.split('@', 1)[0] });

describe.for(nouns)('the list of %s', (noun) => {
  test('has the assignee only where it is included, as the last field, on each page', async () => {
    const bytes = async (query: string) =>
      (await ask(backoffice.service, `/api/admin/${noun}${query}`, { as: backoffice.superadmin })).text;
    const plain = await bytes('');
    expect(plain).not.toContain('assignee');
    expect(await bytes('?include=&assignee=')).toBe(plain);
    const withAssignee = await bytes('?include=assignee');
    expect(withAssignee.replaceAll(/,"assignee":(null|\{[^}]*\})(?=\})/g, '')).toBe(plain);
    const assignees = [identity(ada), null, identity(backoffice.superadmin)];
    for (const limit of ['', '&limit=3']) {
      const rows = await rowsOf(`${noun}?include=assignee${limit}`);
      expect(rows.map(({ assignee }) => assignee)).toEqual(assignees);
    }
  });

  test('can be filtered by it, and assignee=me needs an account', async () => {
    const asToken = await apiOfToken(backoffice, 'superadmin');
    for (const [assignee, ids, api] of [
      ['me', [1]],
      ['me', [3], apiAs(backoffice.service.url, ada)],
      ['none', [2], asToken],
      [ada.id, [3]],
      ['unknown', []],
    ] as const) {
      const rows = await rowsOf(`${noun}?assignee=${assignee}`, api);
      expect(rows.map(({ id }) => Number(id))).toEqual(ids);
    }
    expect(await asToken.get(`/${noun}?assignee=me`)).toEqual(
      errorResponse(
        400,
        'assignee=me needs an account, which API tokens and local operators do not have. Use the id of an admin.',
      ),
    );
  });
});

test('a conversation has its assignee beside its messages where it is included', async () => {
  const thread = (query: string) => backoffice.api.get(`/messages?conversation_id=3${query}`);
  const assignee = identity(ada);
  expect(await thread('&include=assignee')).toMatchObject({ body: { conversation: { assignee } } });
  expect(JSON.stringify(await thread(''))).not.toContain('assignee');
});

test.for([
  ['by a request', (id: string) => backoffice.api.delete(`/admins?id=${id}`)],
  ['by SQL', (id: string) => backoffice.sql('delete from admins where id = $1', [id])],
] as const)(
  'the deletion of an admin %s unassigns its rows, and moves nothing in the lists',
  async ([, remove]) => {
    const leaver = await backoffice.service.signIn('admin');
    for (const noun of nouns)
      await backoffice.sql(`update ${noun} set assignee_id = $1 where id::text in ('1', '2')`, [leaver.id]);
    await remove(leaver.id);
    const updated_at = new Date(time);
    for (const noun of nouns)
      expect(await backoffice.sql(`select assignee_id, updated_at from ${noun} order by id`)).toEqual(
        [null, null, ada.id].map((assignee_id) => ({ assignee_id, updated_at })),
      );
  },
);

test('TRUNCATE of admins is refused, because it would empty issues and conversations', async () => {
  await expect(backoffice.sql('truncate admins cascade')).rejects.toThrow(
    'TRUNCATE of admins would empty issues and conversations too',
  );
  expect(await backoffice.sql('select from issues')).toHaveLength(3);
});

describe.for(nouns)('assigning %s', (noun) => {
  beforeEach(() => backoffice.sql(`update ${noun} set assignee_id = null`));

  const history = noun === 'issues' ? 'issue_history' : 'conversation_history';
  const ids = noun === 'issues' ? [1, 2, 3] : ['1', '2', '3'];
  const patch = (body: object, api = backoffice.api) => api.patch(`/${noun}`, { ids, ...body });
  const assignees = async () =>
    (await backoffice.sql(`select assignee_id from ${noun} order by id`)).map((row) => row.assignee_id);

  test('is for any role, is recorded, and can be undone', async () => {
    await patch({ ids: ids.slice(0, 1), set: { assignee_id: backoffice.superadmin.id } });
    const set = { assignee_id: ada.id };
    const answer = await patch({ set }, apiAs(backoffice.service.url, ada));
    expect(answer).toMatchObject({ status: 200, body: { matched: 3, changed: 3 } });
    const { change_id } = answer.body as { change_id: number };
    expect(await assignees()).toEqual([ada.id, ada.id, ada.id]);
    const entries = `select field, before, after from ${history} where change_id = $1 order by id`;
    const befores = [backoffice.superadmin.id, null, null];
    expect(await backoffice.sql(entries, [change_id])).toEqual(
      befores.map((before) => ({ field: 'assignee_id', before, after: ada.id })),
    );
    const events = `select type, data from events where (data ->> 'change_id')::bigint = $1`;
    expect(await backoffice.sql(events, [change_id])).toEqual([
      { type: `${noun}.updated`, data: { change_id, ids, count: 3, set } },
    ]);
    expect(await patch({ set })).toMatchObject({ body: { changed: 0, change_id: null } });
    const undone = await backoffice.api.post('/changes/undo', { change_id });
    expect(undone).toMatchObject({ body: { restored: 3, left: 0 } });
    expect(await assignees()).toEqual(befores);
  });

  test('only shows what it would do in a dry run, and to an inactive admin is refused', async () => {
    const { id: inactive } = await backoffice.service.signIn('user');
    await backoffice.api.put('/admins/activity', { id: inactive, is_active: 0 });
    const shown = await patch({ set: { assignee_id: ada.id }, dry_run: true });
    expect(shown).toMatchObject({ body: { changed: 3, change_id: null } });
    for (const dry_run of [true, false])
      expect(await patch({ set: { assignee_id: inactive }, dry_run })).toEqual(unknownAssignee);
    expect(await assignees()).toEqual([null, null, null]);
  });

  test('to admins who are deleted meanwhile leaves nobody who does not exist, and does not fail', async () => {
    const leavers = await Promise.all(Array.from({ length: 6 }, () => backoffice.service.signIn('user')));
    const answers = await Promise.all(
      leavers.flatMap(({ id }) => [
        patch({ set: { assignee_id: id } }),
        backoffice.api.delete(`/admins?id=${id}`),
      ]),
    );
    for (const answer of answers) if (answer.status !== 200) expect(answer).toEqual(unknownAssignee);
    expect(await assignees()).toEqual([null, null, null]);
  });
});

test('assigning a conversation does not move it in the list, and a change of its status still does', async () => {
  const updatedAt = async () =>
    (await backoffice.sql(`select updated_at from conversations where id = '1'`))[0]?.updated_at;
  await backoffice.api.patch('/conversations', { ids: ['1'], set: { assignee_id: ada.id } });
  expect(await updatedAt()).toEqual(new Date(time));
  await backoffice.sql(`update conversations set status = 'pending' where id = '1'`);
  expect(await updatedAt()).not.toEqual(new Date(time));
});
