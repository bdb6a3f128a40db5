import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiAs, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere, type SignedIn } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();

const nouns = ['issues', 'conversations'] as const;
const time = '2026-03-01T09:30:00.000Z';

let ada: SignedIn;

beforeAll(async () => {
  ada = await backoffice.service.signIn('user', 'ada@example.com');
});

beforeEach(async () => {
  await backoffice.sql('delete from issues');
  await backoffice.sql('delete from conversations');
  await backoffice.sql(
    `insert into issues (id, title, assignee_id, created_at, updated_at)
     values (1, 'Mine', $1, $2, $2), (2, 'Nobody''s', null, $2, $2), (3, 'Ada''s', $3, $2, $2)`,
    [backoffice.superadmin.id, time, ada.id],
  );
  await backoffice.sql(
    `insert into conversations (id, visitor_email, visitor_name, assignee_id, created_at, updated_at)
     values ('1', 'v@example.com', 'V', $1, $2, $2), ('2', 'v@example.com', 'V', null, $2, $2),
       ('3', 'v@example.com', 'V', $3, $2, $2)`,
    [backoffice.superadmin.id, time, ada.id],
  );
});

interface Row {
  readonly id: string | number;
  readonly assignee?: object | null;
}

async function rowsOf(path: string, api = backoffice.api): Promise<Row[]> {
  const { body } = await api.get(`/${path}`);
  return Object.values(body as object)[0] as Row[];
}

const idsOf = async (path: string, api = backoffice.api) =>
  (await rowsOf(path, api)).map(({ id }) => Number(id));

const identity = ({ id, email }: SignedIn) => ({ id, email, username: email.split('@', 1)[0] });

describe.for(nouns)('the list of %s', (noun) => {
  const bytes = async (query: string) => {
    const { cookie } = backoffice.superadmin;
    return await (
      await backoffice.service.fetch(`/api/admin/${noun}${query}`, { headers: { cookie } })
    ).text();
  };

  test('has the assignee only where it is included, as the last field', async () => {
    const plain = await bytes('');
    expect(plain).not.toContain('assignee');
    expect(await bytes('?include=&assignee=')).toBe(plain);
    const withAssignee = await bytes('?include=assignee');
    expect(withAssignee.replaceAll(/,"assignee":(null|\{[^}]*\})/g, '')).toBe(plain);
    expect((await rowsOf(`${noun}?include=assignee`)).map(({ assignee }) => assignee)).toEqual([
      identity(ada),
      null,
      identity(backoffice.superadmin),
    ]);
    expect(Object.keys((await rowsOf(`${noun}?include=assignee`))[0] ?? {}).at(-1)).toBe('assignee');
  });

  test('has it on each page too', async () => {
    const [row] = await rowsOf(`${noun}?include=assignee&limit=1`);
    expect(row?.assignee).toEqual(identity(ada));
  });

  test('can be filtered by it', async () => {
    expect(await idsOf(`${noun}?assignee=me`)).toEqual([1]);
    expect(await idsOf(`${noun}?assignee=me`, apiAs(backoffice.service.url, ada))).toEqual([3]);
    expect(await idsOf(`${noun}?assignee=none`)).toEqual([2]);
    expect(await idsOf(`${noun}?assignee=${ada.id}`)).toEqual([3]);
    expect(await idsOf(`${noun}?assignee=unknown`)).toEqual([]);
    expect(await idsOf(`${noun}?assignee=`)).toEqual([3, 2, 1]);
    expect((await backoffice.api.get(`/${noun}?assignee=none&count=1&limit=1`)).body).toMatchObject({
      total: 1,
    });
  });

  test('refuses assignee=me without an account', async () => {
    const { secret } = await backoffice.service.createToken('superadmin');
    const asToken = apiAs(backoffice.service.url, { authorization: `Bearer ${secret}` });
    expect(await asToken.get(`/${noun}?assignee=me`)).toEqual(
      errorResponse(
        400,
        'assignee=me needs an account, which API tokens and local operators do not have. Use the id of an admin.',
      ),
    );
    expect(await idsOf(`${noun}?assignee=none`, asToken)).toEqual([2]);
  });
});

test('a conversation has its assignee beside its messages where it is included', async () => {
  const thread = async (query: string) =>
    (await backoffice.api.get(`/messages?conversation_id=3${query}`)).body;
  expect(await thread('&include=assignee')).toMatchObject({ conversation: { assignee: identity(ada) } });
  expect(JSON.stringify(await thread(''))).not.toContain('assignee');
});

describe('the deletion of an admin', () => {
  const state = async (noun: string) =>
    await backoffice.sql<{ id: string; assignee_id: string | null; updated_at: Date }>(
      `select id::text, assignee_id, updated_at from ${noun} order by id`,
    );

  test.for([
    ['by a request', (id: string) => backoffice.api.delete(`/admins?id=${id}`)],
    ['by SQL', (id: string) => backoffice.sql('delete from admins where id = $1', [id])],
  ] as const)('%s unassigns what was assigned to it, and moves nothing in the lists', async ([, remove]) => {
    const leaver = await backoffice.service.signIn('admin');
    for (const noun of nouns)
      await backoffice.sql(`update ${noun} set assignee_id = $1 where id::text in ('1', '2')`, [leaver.id]);
    const before = await Promise.all(nouns.map(state));
    await remove(leaver.id);
    const after = before.map((rows) =>
      rows.map((row) => ({ ...row, assignee_id: row.assignee_id === leaver.id ? null : row.assignee_id })),
    );
    expect(await Promise.all(nouns.map(state))).toEqual(after);
    for (const { updated_at } of after.flat()) expect(updated_at).toEqual(new Date(time));
  });

  test.for(nouns)('does not deadlock with a change of %s in the order of their ids', async (noun) => {
    const leaver = await backoffice.service.signIn('user');
    await backoffice.sql(
      `update ${noun} set assignee_id = $1, updated_at = created_at + interval '1 second' * id::integer`,
      [leaver.id],
    );
    // The highest id comes first, however the rows are found.
    await backoffice.sql(`cluster ${noun} using ${noun}_updated_at_id_idx`);
    await withClient(backoffice.service.databaseUrl, async (client) => {
      const lock = (id: string) => client.query(`select from ${noun} where id = $1 for no key update`, [id]);
      await client.query('begin');
      await lock('1');
      // By SQL: the service would try again after a deadlock.
      const removed = withClient(backoffice.service.databaseUrl, (other) =>
        other.query('delete from admins where id = $1', [leaver.id]),
      );
      await untilBlocked(backoffice);
      await lock('3');
      await client.query('commit');
      expect(await removed).toMatchObject({ rowCount: 1 });
    });
    expect(await backoffice.sql(`select from ${noun} where assignee_id is not null`)).toEqual([]);
  });
});

test('TRUNCATE of admins is refused, because it would empty issues and conversations', async () => {
  await expect(backoffice.sql('truncate admins cascade')).rejects.toThrow(
    'TRUNCATE of admins would empty issues and conversations too',
  );
  expect(await backoffice.sql('select from issues')).toHaveLength(3);
});
