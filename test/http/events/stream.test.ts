import { describe, expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { follow } from '../../support/here/events.ts';
import { timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

const report = async (title = 'T') =>
  (await backoffice.superadmin.client.call('issues.create', { title })).id;
const lastId = async () => Number((await backoffice.sql('select max(id) as id from events'))[0]?.id);

const latest = async (input: InputOf<'events.list'>, { client } = backoffice.superadmin) =>
  (await client.call('events.list', input)).events;

/** Returns the start of a stream, up to the end of the block that contains a text. */
async function startOf(path: string, until: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const response = await backoffice.service.fetch(`/api/admin/events${path}`, {
    headers: { cookie: backoffice.superadmin.cookie, ...headers },
    signal: leaving.signal,
  });
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const place = text.indexOf(until);
    if (place !== -1 && text.includes('\n\n', place)) break;
  }
  leaving.abort();
  return { response, text };
}

describe('the stream', () => {
  test('sends server-sent events that no cache or proxy stores, first the id to resume after', async () => {
    const before = await lastId();
    const { response, text } = await startOf('?types=webhook.deleted', '\nid:');
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    expect(text).toMatch(new RegExp(`^retry: [12]\\d{3}\n\n: alive\nid: ${before}\n\n$`));
  });

  test('sends an event as the documented object, with its id and type', async () => {
    const before = await lastId();
    const issue = await report('Two\nlines');
    const { text } = await startOf(`?after=${before}`, 'data:');
    const [, id, type, data] = /\nid: (\d+)\nevent: (.*)\ndata: (.*)\n\n/.exec(text) ?? [];
    expect(type).toBe('issue.created');
    expect(JSON.parse(data ?? '')).toEqual({
      id: Number(id),
      type: 'issue.created',
      subject_id: String(issue),
      actor: backoffice.superadmin.email,
      created_at: expect.stringMatching(timestampPattern),
      data: { title: 'Two\nlines', category: 'Other', severity: 'Low', status: 'Open' },
    });
  });

  test('starts now without an id, and after the id with one, without a gap or a duplicate', async () => {
    const [, second, third] = [await report(), await report(), await report()].map(String);
    const types = ['issue.created'] as const;
    const fromNow = await follow(backoffice.superadmin.client, { types });
    const resumed = await follow(backoffice.superadmin.client, { types, after: (await lastId()) - 2 });
    const fourth = String(await report());
    await Promise.all([fromNow.until(1), resumed.until(3)]);
    await Promise.all([fromNow.stop(), resumed.stop()]);
    expect(fromNow.received).toMatchObject([{ subject_id: fourth }]);
    expect(resumed.received).toMatchObject([second, third, fourth].map((subject_id) => ({ subject_id })));
  });

  test('resumes after the Last-Event-ID header of a reconnecting browser, whatever its URL says', async () => {
    const before = await lastId();
    const issue = await report();
    const { text } = await startOf('?after=0', 'data:', { 'last-event-id': String(before) });
    expect(text.match(/data:.*/g)).toEqual([expect.stringContaining(`"subject_id":"${issue}"`)]);
  });

  test('sends only the requested types', async () => {
    const follower = await follow(backoffice.superadmin.client, {
      types: ['issue.updated', 'setting.updated'],
    });
    const id = await report();
    await backoffice.api.put('/issues', { id, status: 'Closed' });
    await backoffice.api.put('/settings', { key: 'followed', value: 'secret' });
    await follower.until(2);
    await follower.stop();
    expect(follower.received.map(({ type }) => type)).toEqual(['issue.updated', 'setting.updated']);
    expect(JSON.stringify(follower.received)).not.toContain('secret');
  });
});

// That it gets 403 when it requests them, test/http/contract/refusals.test.ts shows.
test('a role does not receive events of data that it may not list', async () => {
  const before = await lastId();
  const user = await backoffice.service.signIn('user');
  const issue = await report();
  const follower = await follow(user.client, { after: before });
  await follower.until(({ type }) => type === 'issue.created');
  await follower.stop();
  expect(follower.received.map(({ type }) => type)).toEqual(['admin.created', 'issue.created']);
  expect(follower.received.at(-1)).toMatchObject({ subject_id: String(issue) });
  const latestTypes = async (who?: SignedIn) => (await latest({ limit: 100 }, who)).map(({ type }) => type);
  expect(await latestTypes()).toContain('session.started');
  expect(await latestTypes(user)).toContain('issue.created');
  expect(await latestTypes(user)).not.toContain('session.started');
});

describe('an id to resume after', () => {
  test('followed by deleted events is answered with a gap, then with the remaining events', async () => {
    const [kept] = await backoffice.sql<{ id: string }>('select id from events order by id offset 3 limit 1');
    await backoffice.sql('delete from events where id < $1', [kept?.id]);
    const oldest = Number(kept?.id);
    const until = `\nid: ${oldest}\nevent: `;
    const gap = JSON.stringify({ id: oldest - 1, type: 'gap', asked: 1 });
    expect((await startOf('?after=1', until)).text).toContain(`event: gap\ndata: ${gap}\n\n`);
    expect((await startOf(`?after=${oldest - 1}`, until)).text).not.toContain('gap');
  });
});

test('/events/latest has the latest events, newest first, of some types or of all, as the stream has them', async () => {
  const ids = [await report('First'), await report('Second')];
  await backoffice.api.put('/issues', { id: ids[0], status: 'Closed' });
  expect((await latest({ limit: 3 })).map(({ type, subject_id }) => [type, Number(subject_id)])).toEqual([
    ['issue.updated', ids[0]],
    ['issue.created', ids[1]],
    ['issue.created', ids[0]],
  ]);
  const [newest] = await latest({ limit: 1, types: 'issue.created' });
  const { text } = await startOf(`?after=${Number(newest?.id) - 1}`, 'data:');
  expect(JSON.parse(/\ndata: (.*)\n/.exec(text)?.[1] ?? '')).toEqual(newest);
});
