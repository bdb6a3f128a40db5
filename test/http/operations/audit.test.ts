import { beforeEach, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { apiAs, atOnce, bearer, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere, password } from '../../support/here.ts';

const backoffice = backofficeHere();

interface AuditRecord {
  readonly id: number;
  readonly event: string;
  readonly subject_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

let seen = 0;

/** Returns the records since the test started, oldest first. */
async function recorded(query = ''): Promise<AuditRecord[]> {
  const { body } = await backoffice.api.get(`/audit?${query}`);
  const { audit } = body as { audit: AuditRecord[] };
  return audit.filter(({ id }) => id > seen).reverse();
}

beforeEach(async () => {
  const [last] = await backoffice.sql<{ id: string }>('select coalesce(max(id), 0) as id from audit_records');
  seen = Number(last?.id);
});

test('a record has the actor, time, address, operation, subject, and the fields before and after', async () => {
  const { api, superadmin } = backoffice;
  const { id: issue } = await superadmin.client.call('issues.create', {
    title: 'T',
    description: 'not recorded',
  });
  await api.put('/issues', { id: issue, status: 'Closed' });
  const who = {
    id: expect.any(Number),
    created_at: expect.stringMatching(timestampPattern),
    actor_kind: 'admin',
    actor_id: superadmin.id,
    actor_name: superadmin.email,
    door: 'http',
    address: '127.0.0.1',
    subject_id: String(issue),
  };
  const created = { title: 'T', category: 'Other', severity: 'Low', status: 'Open' };
  const closed = { before: { status: 'Open' }, after: { status: 'Closed' } };
  expect(await recorded()).toEqual([
    { ...who, operation: 'issues.create', event: 'issue.created', before: null, after: created },
    { ...who, operation: 'issues.changeStatus', event: 'issue.updated', ...closed },
  ]);
});

test("a record of a token's call has the token's name", async () => {
  const { service } = backoffice;
  const { secret, token } = await service.createToken('user');
  await apiAs(service.url, bearer(secret)).post('/issues', { title: 'T' });
  expect(await recorded()).toMatchObject([
    { actor_kind: 'operator', actor_name: 'tests', door: 'cli', event: 'token.created' },
    { actor_kind: 'token', actor_name: 'token:tests', actor_id: String(token.id), event: 'issue.created' },
  ]);
});

test('an update of an admin is recorded with the previous fields, and a password only as changed', async () => {
  const { api, superadmin } = backoffice;
  const account = { email: 'audited@example.com', username: 'before', password };
  const { id } = (await superadmin.client.call('admins.create', account)).admin;
  await api.put('/admins', { id, username: 'after', password: 'another secret' });
  await api.put('/admins/activity', { id, is_active: 0 });
  await api.delete(`/admins?id=${id}`);
  const before = { username: 'before', role: 'admin' };
  expect(await recorded()).toMatchObject([
    { before: null, after: { ...before, is_active: 1 } },
    { before, after: { username: 'after', role: 'admin', password: 'changed' } },
    { before: { is_active: 1 }, after: { is_active: 0 } },
    { event: 'admin.deleted', subject_id: id, before: { username: 'after', is_active: 0 }, after: null },
  ]);
});

test('records and events contain no secret and no message text', async () => {
  const { api } = backoffice;
  const secret = ['smtp_password', 'other'];
  await api.put('/settings', { updates: { smtp_password: 'hunter22', other: 'hunter22-value' }, secret });
  await api.put('/settings', { key: 'other', value: 'hunter22-value-too' });
  await api.delete('/settings?key=other');
  await api.post('/admins', { email: 'secret@example.com', password: 'hunter22-password' });
  const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
  await api.post('/conversations', { ...visitor, initial_message: 'hunter22-words' });
  const rows = await backoffice.sql<{ row: string }>(
    `select r::text as row from audit_records r where id > ${seen}
     union all select e::text from events e where id > ${seen}`,
  );
  expect(rows).toHaveLength(2 * 6);
  expect(JSON.stringify(rows)).not.toMatch(/hunter22|bcrypt|\$2[aby]\$/);
  const batch = { subject_id: null, before: null, after: { keys: ['other', 'smtp_password'], count: 2 } };
  expect((await recorded()).slice(0, 3)).toMatchObject([
    { event: 'settings.updated', ...batch },
    { event: 'setting.updated', subject_id: 'other', before: { is_set: true }, after: { is_set: true } },
    { event: 'setting.deleted', subject_id: 'other', before: { is_set: true }, after: null },
  ]);
});

test('a record has the old and the new value of a setting that is not secret, and its event has neither', async () => {
  const { api } = backoffice;
  const long = 'x'.repeat(3_000);
  await api.put('/settings', { key: 'motto', value: 'Be kind' });
  await api.put('/settings', { key: 'motto', value: 'Be bold' });
  await api.put('/settings', { updates: { motto: 'Be brief', long, same: 'same' } });
  await api.put('/settings', { updates: { motto: 'Be brave', same: 'same' }, remove: ['long'] });
  // What becomes secret has been one before, and what is no longer secret was one.
  await api.put('/settings', { key: 'motto', value: 'hunter22', secret: true });
  await api.put('/settings', { key: 'motto', value: 'hunter22-again' });
  await api.put('/settings', { key: 'motto', value: 'Be open', secret: false });
  await api.delete('/settings?key=motto');
  const is_set = true;
  const records = (await recorded()).map(({ before, after }) => ({ before, after }));
  const cut = `${'x'.repeat(2_000)}…`;
  expect(records).toEqual([
    { before: null, after: { is_set, value: 'Be kind' } },
    { before: { is_set, value: 'Be kind' }, after: { is_set, value: 'Be bold' } },
    {
      before: { values: { motto: 'Be bold' } },
      after: {
        keys: ['long', 'motto', 'same'],
        count: 3,
        values: { motto: 'Be brief', long: cut, same: 'same' },
      },
    },
    {
      before: { values: { motto: 'Be brief' } },
      after: { keys: ['motto', 'same'], count: 2, values: { motto: 'Be brave' } },
    },
    { before: { is_set, value: cut }, after: null },
    { before: { is_set }, after: { is_set } },
    { before: { is_set }, after: { is_set } },
    { before: { is_set }, after: { is_set, value: 'Be open' } },
    { before: { is_set, value: 'Be open' }, after: null },
  ]);
  // Also if many change it at once.
  await atOnce(20, (n) => api.put('/settings', { key: 'raced', value: `value ${n}` }));
  const raced = (await recorded()).filter(({ subject_id }) => subject_id === 'raced');
  expect(raced.map(({ before }) => before)).toEqual([null, ...raced.slice(0, -1).map(({ after }) => after)]);
  const events = await backoffice.sql<{ data: object }>(
    `select data from events where id > ${seen} order by id`,
  );
  const names = new Set(events.flatMap(({ data }) => Object.keys(data)));
  expect(names).toEqual(new Set(['is_set', 'keys', 'count']));
});

describe('the list', () => {
  test('with `after` is ordered oldest first and always paged', async () => {
    for (const title of ['one', 'two', 'three']) await backoffice.api.post('/issues', { title });
    const ids = (await recorded()).map(({ id }) => id);
    const page = async (query: string) => {
      const { body } = await backoffice.api.get(`/audit?after=${seen}${query}`);
      const { audit, nextCursor } = body as { audit: AuditRecord[]; nextCursor: string | null };
      return { ids: audit.map(({ id }) => id), nextCursor };
    };
    expect(await page('')).toEqual({ ids, nextCursor: null });
    const first = await page('&limit=2');
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect(await page(`&limit=2&cursor=${first.nextCursor}`)).toEqual({
      ids: ids.slice(2),
      nextCursor: null,
    });
  });

  test('can be filtered by each parameter', async () => {
    for (const title of ['one', 'two', 'three']) await backoffice.api.post('/issues', { title });
    const [one, two, three] = await recorded();
    const actor = encodeURIComponent(backoffice.superadmin.email);
    for (const [query, records] of [
      [`actor=${actor}&operation=issues.create`, [three, two, one]],
      ['actor=nobody@example.com', []],
      ['event=issue.updated', []],
      ['door=cli', []],
      [`event=issue.created&subject_id=${two?.subject_id}`, [two]],
      ['q=TWO', [two]],
    ] as const)
      expect(await recorded(query), query).toEqual(records.toReversed());
  });
});

test('a superadmin verifies the chain part by part, against a link that was kept elsewhere', async () => {
  const verify = (input: InputOf<'audit.verify'>) => backoffice.superadmin.client.call('audit.verify', input);
  await backoffice.api.post('/issues', { title: 'One more link' });
  const [newest] = await backoffice.sql<{ id: number; verified: number }>(
    'select max(id)::int as id, count(*)::int as verified from audit_records',
  );
  const { last, ...whole } = await verify({});
  expect(whole).toMatchObject({ valid: true, verified: newest?.verified, problem: null, complete: true });
  expect(last?.id).toBe(newest?.id);
  const link = `${last?.id}:${last?.chain}`;
  expect(await verify({ from: link, expect: link })).toMatchObject({ verified: 0, valid: true, last });
  expect(await verify({ expect: `${last?.id}:${'0'.repeat(64)}` })).toMatchObject({
    valid: false,
    problem: { id: last?.id, message: expect.stringContaining('is another than the expected one') },
  });
});
