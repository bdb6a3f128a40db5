import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiOfRole } from '../../support/here/accounts.ts';
import { type Api, atOnce, countByStatus, errorResponse, success } from '../../support/here/requests.ts';
import { auditRecordsOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();
const taken = errorResponse(409, 'A saved reply with this shortcut already exists.');
const thanks = { shortcut: 'Thanks', title: 'Thank you', content: 'Thank you, {{visitor_name}}!' };

let api: Api;

beforeAll(async () => {
  api = await apiOfRole(backoffice, 'user');
});

beforeEach(async () => {
  await backoffice.sql('delete from saved_replies');
});

async function create(fields: object = {}): Promise<number> {
  const { body } = await api.post('/saved-replies', { ...thanks, ...fields });
  return (body as { saved_reply: { id: number } }).saved_reply.id;
}

const list = async (query = '') =>
  ((await api.get(`/saved-replies${query}`)).body as { saved_replies: object[] }).saved_replies;

describe('a saved reply', () => {
  test('is created by anybody, changed only in the fields that are given, and deleted, each recorded', async () => {
    const id = await create();
    expect(await list()).toEqual([{ id, ...thanks }]);
    const edited = { ...thanks, title: 'New' };
    expect(await api.put('/saved-replies', { id, title: 'New', content: null })).toEqual(success);
    expect(await list()).toEqual([{ id, ...edited }]);
    expect(await api.delete(`/saved-replies?id=${id}`)).toEqual(success);
    expect(await list()).toEqual([]);
    const of = { subject_id: String(id) };
    expect(await auditRecordsOf(backoffice, 'savedReplies.create', id)).toEqual([
      { ...of, event: 'saved_reply.created', before: null, after: thanks },
    ]);
    expect(await auditRecordsOf(backoffice, 'savedReplies.update', id)).toEqual([
      { ...of, event: 'saved_reply.updated', before: thanks, after: edited },
    ]);
    expect(await auditRecordsOf(backoffice, 'savedReplies.delete', id)).toEqual([
      { ...of, event: 'saved_reply.deleted', before: edited, after: null },
    ]);
  });

  test('has a shortcut of its own, ignoring case', async () => {
    const id = await create();
    expect(await api.post('/saved-replies', { ...thanks, shortcut: 'tHANKS' })).toEqual(taken);
    const other = await create({ shortcut: 'other' });
    expect(await api.put('/saved-replies', { id: other, shortcut: 'THANKS' })).toEqual(taken);
    expect(await api.put('/saved-replies', { id, shortcut: 'thanks' })).toEqual(success);
    expect(await list()).toMatchObject([{ shortcut: 'other' }, { shortcut: 'thanks' }]);
  });
});

describe('the list', () => {
  test('is in the order of the shortcuts, and can be searched and cut', async () => {
    for (const shortcut of ['b', 'A', 'c']) await create({ shortcut, title: `Title of ${shortcut}` });
    for (const [query, shortcuts] of [
      ['', ['A', 'b', 'c']],
      ['?limit=2', ['A', 'b']],
      ['?q=TITLE%20of%20C', ['c']],
    ] as const)
      expect(await list(query)).toMatchObject(shortcuts.map((shortcut) => ({ shortcut })));
  });

  test('has at most 1,000', async () => {
    await backoffice.sql(
      `insert into saved_replies (shortcut, title, content) select 'r' || n, 'T', 'C' from generate_series(1, 999) as n`,
    );
    const answers = await atOnce(3, (index) =>
      api.post('/saved-replies', { ...thanks, shortcut: `new-${index}` }),
    );
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 2 });
    const full = errorResponse(409, 'There are 1,000 saved replies already. Delete one first.');
    expect(answers).toContainEqual(full);
    expect(await list()).toHaveLength(1_000);
  });
});
