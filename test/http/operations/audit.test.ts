import { beforeEach, describe, expect, test } from 'vitest';
import { eventTypes } from '../../../src/contract/event-types.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { backgroundChanges, doors } from '../../../src/contract/vocabulary.ts';
import { apiAs, timestampPattern } from '../../support/here/requests.ts';
import { createApiToken } from '../../support/here/tokens.ts';
import { backofficeHere, openSession, password } from '../../support/here.ts';

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
async function recorded(): Promise<AuditRecord[]> {
  const { body } = await backoffice.api.get('/audit');
  const { audit } = body as { audit: AuditRecord[] };
  return audit.filter(({ id }) => id > seen).reverse();
}

beforeEach(async () => {
  const [last] = await backoffice.sql<{ id: string }>('select coalesce(max(id), 0) as id from audit_records');
  seen = Number(last?.id);
});

test('a record has the actor, time, address, operation, subject, and the fields before and after', async () => {
  await backoffice.api.post('/issues', { title: 'T', description: 'not recorded' });
  const [created] = await recorded();
  await backoffice.api.put('/issues', { id: created?.subject_id, status: 'Closed' });
  const { id, email } = backoffice.superadmin;
  const who = {
    id: expect.any(Number),
    created_at: expect.stringMatching(timestampPattern),
    actor_kind: 'admin',
    actor_id: id,
    actor_name: email,
    door: 'http',
    address: '127.0.0.1',
  };
  const subject_id = expect.stringMatching(/^\d+$/);
  expect(await recorded()).toEqual([
    {
      ...who,
      operation: 'issues.create',
      event: 'issue.created',
      subject_id,
      before: null,
      after: { title: 'T', category: 'Other', severity: 'Low', status: 'Open' },
    },
    {
      ...who,
      operation: 'issues.changeStatus',
      event: 'issue.updated',
      subject_id,
      before: { status: 'Open' },
      after: { status: 'Closed' },
    },
  ]);
});

test("a record of a token's call has the token's name", async () => {
  const { primary } = backoffice.service.services.databases;
  const { secret, token } = await createApiToken(primary, {
    name: 'nightly',
    role: 'user',
    createdBy: 'ada',
    expiresAt: null,
  });
  await fetch(`${backoffice.service.url}/api/admin/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: '{"title":"T"}',
  });
  expect(await recorded()).toMatchObject([
    { actor_kind: 'operator', actor_name: 'ada', door: 'cli', event: 'token.created' },
    { actor_kind: 'token', actor_name: 'token:nightly', actor_id: String(token.id), event: 'issue.created' },
  ]);
});

describe('admins', () => {
  let id: string;

  beforeEach(async () => {
    const { body } = await backoffice.api.post('/admins', {
      email: `${crypto.randomUUID()}@example.com`,
      username: 'before',
      password,
    });
    id = (body as { admin: { id: string } }).admin.id;
  });

  test('an update is recorded with the previous fields, and a password only as changed', async () => {
    await backoffice.api.put('/admins', { id, username: 'after', password: 'another secret' });
    await backoffice.api.put('/admins/activity', { id, is_active: 0 });
    await backoffice.api.delete(`/admins?id=${id}`);
    const [created, updated, deactivated, deleted] = await recorded();
    expect(created).toMatchObject({
      before: null,
      after: { username: 'before', role: 'admin', is_active: 1 },
    });
    expect(updated).toMatchObject({
      before: { username: 'before', role: 'admin' },
      after: { username: 'after', role: 'admin', password: 'changed' },
    });
    expect(deactivated).toMatchObject({ before: { is_active: 1 }, after: { is_active: 0 } });
    expect(deleted).toMatchObject({
      event: 'admin.deleted',
      subject_id: id,
      before: { username: 'after', is_active: 0 },
      after: null,
    });
  });
});

test('sign-in and sign-out are recorded for the admin, with an id that does not open the session', async () => {
  const { id, email } = await backoffice.service.signIn('user');
  const cookie = await openSession(backoffice.service.url, email);
  await apiAs(backoffice.service.url, { cookie }).delete('/session');
  const [, , started, ended] = await recorded();
  expect(started).toMatchObject({
    event: 'session.started',
    actor_kind: 'admin',
    actor_id: id,
    actor_name: email,
    after: { admin_id: id },
  });
  expect(ended).toMatchObject({ event: 'session.ended', subject_id: started?.subject_id, actor_name: email });
  expect(cookie).not.toContain(started?.subject_id);
});

test("records and events contain no secret, no setting's value and no message text", async () => {
  await backoffice.api.put('/settings', {
    updates: { smtp_password: 'hunter22-value', other: 'hunter22-value' },
  });
  await backoffice.api.put('/settings', { key: 'other', value: 'hunter22-value-too' });
  await backoffice.api.delete('/settings?key=other');
  await backoffice.api.post('/admins', { email: 'secret@example.com', password: 'hunter22-password' });
  await backoffice.api.post('/conversations', {
    visitor_email: 'v@example.com',
    visitor_name: 'V',
    initial_message: 'hunter22-words',
  });
  const rows = await backoffice.sql<{ row: string }>(
    `select r::text as row from audit_records r where id > ${seen}
     union all select e::text from events e where id > ${seen}`,
  );
  expect(rows).toHaveLength(2 * 6);
  expect(JSON.stringify(rows)).not.toMatch(/hunter22|bcrypt|\$2[aby]\$/);
  expect((await recorded()).slice(0, 3)).toMatchObject([
    {
      event: 'settings.updated',
      subject_id: null,
      before: null,
      after: { keys: ['other', 'smtp_password'], count: 2 },
    },
    { event: 'setting.updated', subject_id: 'other', before: { is_set: true }, after: { is_set: true } },
    { event: 'setting.deleted', subject_id: 'other', before: { is_set: true }, after: null },
  ]);
});

test('each change is also an event with the id of its record', async () => {
  await backoffice.api.post('/issues', { title: 'T' });
  const both = await backoffice.sql(`
    select e.type = r.event and e.subject_id = r.subject_id and e.actor = r.actor_name and e.data = r.after as same
    from audit_records r left join events e using (id) where r.id > ${seen}
  `);
  expect(both).toEqual([{ same: true }]);
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
    await backoffice.api.post('/issues', { title: 'meanwhile' });
    const second = await page(`&limit=2&cursor=${first.nextCursor}`);
    expect(second).toEqual({ ids: [ids[2], expect.any(Number)], nextCursor: null });
    expect((await page('&event=issue.updated')).ids).toEqual([]);
  });

  const writes = (operations as readonly Operation[]).filter(({ changes = [] }) => changes.length > 0);
  const known = {
    door: doors,
    operation: [...writes.map(({ id }) => id), ...backgroundChanges],
    event: eventTypes,
  };

  test.for(Object.entries(known))(
    'takes for %s every value that a record may have, and lists them for another',
    async ([name, words]) => {
      for (const right of [...words, '', `${words[0]},${words[1]}`])
        expect(await backoffice.api.get(`/audit?${name}=${right}&limit=1`)).toMatchObject({ status: 200 });
      for (const wrong of ['foo', `${words[0]} `, `${words[0]},foo`, 'issues.list', 'toString']) {
        const { status, body } = await backoffice.api.get(`/audit?${name}=${encodeURIComponent(wrong)}`);
        expect(status).toBe(400);
        const [start, listed = ''] = (body as { error: string }).error.split(': ');
        expect(start).toBe(`${name} must be one of`);
        const hint = /\.( Did you mean .*\?)?$/;
        expect(listed.replace(hint, '').split(', ').toSorted()).toEqual([...words].toSorted());
      }
    },
  );

  test('can be filtered by each parameter', async () => {
    for (const title of ['one', 'two', 'three']) await backoffice.api.post('/issues', { title });
    const all = await recorded();
    const ids = async (query: string) => {
      const { status, body } = await backoffice.api.get(`/audit?${query}`);
      expect(status).toBe(200);
      return (body as { audit: AuditRecord[] }).audit.map(({ id }) => id).filter((id) => id > seen);
    };
    const [one, two, three] = all.map(({ id }) => id);
    const actor = encodeURIComponent(backoffice.superadmin.email);
    expect(await ids(`actor=${actor}&operation=issues.create`)).toEqual([three, two, one]);
    expect(await ids('actor=nobody@example.com')).toEqual([]);
    expect(await ids('event=issue.created')).toEqual([three, two, one]);
    expect(await ids('event=issue.updated')).toEqual([]);
    expect(await ids('door=http')).toEqual([three, two, one]);
    expect(await ids('door=cli')).toEqual([]);
    expect(await ids(`event=issue.created&subject_id=${all[1]?.subject_id}`)).toEqual([two]);
    expect(await ids('q=TWO')).toEqual([two]);
  });
});

test('a superadmin verifies the chain part by part, against a link that was kept elsewhere', async () => {
  const verify = async (query: string) => await backoffice.api.get(`/audit/verify?${query}`);
  await backoffice.api.post('/issues', { title: 'One more link' });
  const { status, body } = await verify('');
  const { last } = body as { last: { id: number; chain: string } };
  const [newest] = await backoffice.sql<{ id: number; verified: number }>(
    'select max(id)::int as id, count(*)::int as verified from audit_records',
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({ valid: true, verified: newest?.verified, problem: null, complete: true });
  expect(last.id).toBe(newest?.id);
  const link = `${last.id}:${last.chain}`;
  expect((await verify(`from=${link}&expect=${link}`)).body).toMatchObject({
    verified: 0,
    valid: true,
    last,
  });
  expect((await verify(`expect=${last.id}:${'0'.repeat(64)}`)).body).toMatchObject({
    valid: false,
    problem: { id: last.id, message: expect.stringContaining('is another than the expected one') },
  });
});
