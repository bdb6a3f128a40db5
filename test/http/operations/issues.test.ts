import { describe, expect, test } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { checkIssueCounters } from '../../../src/db/analytics/issue-counters.ts';
import { apiOfRole } from '../../support/here/accounts.ts';
import {
  type Api,
  type ApiResponse,
  apiAs,
  bulkAnswer,
  errorResponse,
  errorResponseLike,
} from '../../support/here/requests.ts';
import {
  auditRecordsOf,
  brokenHistoriesOf,
  createIssues,
  historyOf,
  statusesOf,
} from '../../support/here/rows.ts';
import { backofficeHere, startInstance } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

test('deletes issues with their links and their history, and is one event', async () => {
  const { api, sql } = backoffice;
  const [first = 0, second = 0, third = 0] = await createIssues(backoffice, 3);
  await api.patch('/issues', { ids: [first, second, third], set: { status: 'Closed' } });
  await sql(`insert into conversations (id, visitor_email, visitor_name) values ('conv_1', 'v', 'V')`);
  for (const issue_id of [first, third]) await api.post('/links', { issue_id, conversation_id: 'conv_1' });

  const answer = await api.delete(`/issues?id=${second},${first}, ${first},999999999,none`);
  expect(answer).toEqual({ status: 200, body: { success: true, deleted: 2 } });
  const left = await sql(
    `select (select array_agg(id::integer) from issues) as issues,
      (select array_agg(distinct issue_id::integer) from issue_history) as history,
      (select array_agg(issue_id::integer) from issue_links) as links`,
  );
  expect(left).toEqual([{ issues: [third], history: [third], links: [third] }]);
  const before = { ids: [first, second], count: 2, links: 1 };
  expect(await auditRecordsOf(backoffice, 'issues.delete')).toEqual([
    { event: 'issues.deleted', subject_id: null, before, after: null },
  ]);
  expect(await checkIssueCounters(backoffice.service.services.databases.primary)).toEqual([]);
});

test('a deletion by SQL leaves no history behind', async () => {
  const { api, sql } = backoffice;
  const [id = 0, other = 0] = await createIssues(backoffice, 2);
  for (const each of [id, other]) await api.put('/issues', { id: each, status: 'Closed' });
  await sql('delete from issues where id = $1', [id]);
  expect(await sql('select from issue_history where issue_id = $1', [id])).toEqual([]);
  await sql('truncate issues');
  expect(await sql('select from issue_history')).toEqual([]);
});

const update = (body: unknown) => backoffice.api.patch('/issues', body);
const someChange = expect.any(Number);
const cannotGoOn = errorResponseLike(409, /^This change cannot go on/);

describe('a change by ids', () => {
  test('sets the fields, tells what it found, and leaves the others', async () => {
    const [first = 0, second = 0, third = 0] = await createIssues(backoffice, 3);
    await backoffice.api.put('/issues', { id: second, status: 'Closed' });
    const unknown = [0, 999_999_999, 'none', '1.5'];
    const ids = [second, first, String(first), ...unknown.slice(0, 3), 1.5];
    expect(await update({ ids, set: { status: 'Closed' } })).toEqual(
      bulkAnswer({ matched: 2, changed: 1, unchanged: 1, unknown, change_id: someChange }),
    );
    expect(await statusesOf(backoffice, [first, second, third])).toEqual({ Closed: 2, Open: 1 });
  });

  test('sets every field of one issue, and its history says what they were', async () => {
    const { superadmin } = backoffice;
    const [id = 0] = await createIssues(backoffice, 1, 'Brocken');
    const set = {
      status: 'In Progress',
      severity: 'High',
      category: 'Search',
      title: ' Broken ',
      description: 'Since today',
      steps_to_reproduce: '',
    } as const;
    const { change_id } = await superadmin.client.call('issues.update', { ids: [id], set });
    const listed = await superadmin.client.call('issues.list', { id });
    expect(listed).toMatchObject({ issues: [{ ...set, title: 'Broken' }] });
    const history = await historyOf(backoffice, id);
    expect(history).toHaveLength(5);
    const who = { actor: superadmin.email, door: 'http', at: expect.stringMatching(/Z$/) };
    expect(history).toContainEqual({ change_id, field: 'title', before: 'Brocken', after: 'Broken', ...who });
  });

  test('is one event and one audit record, with the first 1,000 ids', async () => {
    const ids = await createIssues(backoffice, 1_500);
    const set = { severity: 'High', category: 'Search' };
    const change = { ids: ids.toReversed(), set };
    const { change_id } = await backoffice.superadmin.client.call('issues.update', change);
    const after = { change_id, ids: ids.slice(0, 1_000), count: 1_500, set };
    const records = await backoffice.sql(
      `select r.event, r.subject_id, r.before, r.after, e.data from audit_records r join events e using (id)
       where (r.after ->> 'change_id')::bigint = $1`,
      [change_id],
    );
    const event = { event: 'issues.updated', subject_id: null, before: null };
    expect(records).toEqual([{ ...event, after, data: after }]);
  });

  test('of one issue tells which one and what it was, without long texts', async () => {
    const [id = 0] = await createIssues(backoffice, 1, 'Brocken');
    await update({ ids: [id], set: { title: 'Broken', description: 'x'.repeat(1_000) } });
    const set = { title: 'Broken', description: `${'x'.repeat(200)}…` };
    const before = { title: 'Brocken', description: '' };
    const after = { change_id: someChange, ids: [id], count: 1, set };
    expect(await auditRecordsOf(backoffice, 'issues.update', id)).toEqual([
      { event: 'issues.updated', subject_id: String(id), before, after },
    ]);
  });
});

describe('a change by a filter', () => {
  test('selects by assignee', async () => {
    const { client, id } = backoffice.superadmin;
    const [mine = 0] = await createIssues(backoffice, 2, 'Shared');
    await update({ ids: [mine], set: { assignee_id: id } });
    await update({ filter: { q: 'Shared', assignee: 'none' }, set: { category: 'Free' } });
    expect(await client.call('issues.list', { q: 'Shared', sort: 'created_at' })).toMatchObject({
      issues: [{ id: mine, category: 'Other' }, { category: 'Free' }],
    });
  });

  test('goes on where it stopped, and is one change', async () => {
    const ids = await createIssues(backoffice, 10_020, 'Many of these');
    const [outside = 0] = await createIssues(backoffice, 1, 'Another');
    const request = { filter: { q: 'many OF', status: 'Open' }, set: { severity: 'Critical' } };
    expect(await update({ ...request, dry_run: true })).toEqual(
      bulkAnswer({ matched: 10_020, changed: 10_000, remaining: 20 }),
    );
    const first = await backoffice.superadmin.client.call('issues.update', request);
    expect(first).toMatchObject({ matched: 10_020, changed: 10_000, unchanged: 0, remaining: 20 });

    // A colleague has decided otherwise meanwhile: it stays so.
    await update({ ids: [ids[0]], set: { severity: 'Low' } });
    const { change_id } = first;
    const more = { ...request, change_id };
    expect(await update({ ...more, dry_run: true })).toEqual(bulkAnswer({ matched: 20, changed: 20 }));
    expect(await update(more)).toEqual(bulkAnswer({ matched: 20, changed: 20, change_id }));
    expect(await update(more)).toEqual(bulkAnswer({}));

    expect(
      await backoffice.sql(
        'select severity, count(*)::integer from issues where id = any($1) group by 1 order by 1',
        [[...ids, outside]],
      ),
    ).toEqual([
      { severity: 'Critical', count: 10_019 },
      { severity: 'Low', count: 2 },
    ]);
    expect(await checkIssueCounters(backoffice.service.services.databases.primary)).toEqual([]);
    expect(await backoffice.api.post('/changes/undo', { change_id })).toMatchObject({
      body: { restored: 10_019, left: 1 },
    });
    expect(await update(more)).toEqual(cannotGoOn);
  });

  test('goes on only for its actor, with the same filter and values', async () => {
    await createIssues(backoffice, 2, 'Continued');
    const request = { filter: { q: 'Continued' }, set: { category: 'Mail' } };
    const { change_id } = await backoffice.superadmin.client.call('issues.update', request);
    const refused = errorResponse(
      400,
      'change_id must be that of your earlier call with the same filter and set.',
    );
    for (const another of [
      { ...request, change_id: 999_999_999 },
      { ...request, set: { category: 'Post' }, change_id },
      { ...request, filter: { q: 'continued' }, change_id },
      { ids: [1], set: request.set, change_id },
    ])
      expect(await update(another)).toEqual(refused);
    const other = await apiOfRole(backoffice, 'superadmin');
    expect(await other.patch('/issues', { ...request, change_id })).toEqual(refused);
    await backoffice.sql(`update changes set created_at = now() - interval '25 hours'`);
    expect(await update({ ...request, change_id })).toEqual(cannotGoOn);
  });
});

/** The second one undoes changes of the first. */
const rounds = isSlowRun ? 3 : 2;
const parallelChanges = 12;

test('on four instances, 12 bulk changes of the same issues at once, with undos, single changes, deletions and new ones, add up', async () => {
  const { sql, service, superadmin } = backoffice;
  // Each runs three bulk changes at once, so that the database runs all of them at once.
  const others = await Promise.all([1, 2, 3].map(() => startInstance(backoffice)));
  const apis = [service, ...others].map(({ url }) => apiAs(url, superadmin));
  const apiOf = (index: number) => apis[index % apis.length] as Api;
  const api = apiOf(0);
  await sql('truncate issues');
  const ids = await createIssues(backoffice, 400);
  const doomed = await createIssues(backoffice, rounds * 8);
  const all = [...ids, ...doomed];
  const changeIds: number[] = [];
  const answers: ApiResponse[] = [];
  let turn = 0;
  const next = <Item>(items: readonly Item[]) => items[turn++ % items.length] as Item;

  /** Changes all of the issues, in an order of its own: by ids, by a filter, or two fields at once. */
  async function change(index: number): Promise<ApiResponse> {
    const order = index % 2 === 0 ? all : all.toReversed();
    const status = next(issueStatuses);
    const severity = next(severities);
    const body = [
      { ids: order, set: { status } },
      { ids: order.toSorted((one, other) => (one % 7) - (other % 7)), set: { status, severity } },
      { filter: { until: '2100-01-01T00:00:00Z' }, set: { severity, category: next(['Mail', 'Search']) } },
    ][index % 3];
    const answer = await apiOf(index).patch('/issues', body);
    const { change_id = null } = answer.body as { change_id?: number | null };
    if (change_id !== null) changeIds.push(change_id);
    return answer;
  }

  for (let round = 0; round < rounds; round += 1) {
    const gone = doomed.slice(round * 8, (round + 1) * 8);
    answers.push(
      ...(await Promise.all([
        ...Array.from({ length: parallelChanges }, (_, index) => change(index + round)),
        ...changeIds.splice(-3).map((change_id, index) => apiOf(index).post('/changes/undo', { change_id })),
        ...all.slice(0, 10).map((id) => api.put('/issues', { id, status: next(issueStatuses) })),
        api.delete(`/issues?id=${gone.toReversed().join(',')}`),
        api.post('/issues', { title: 'New', severity: 'Low' }),
      ])),
    );
  }
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await checkIssueCounters(service.services.databases.primary)).toEqual([]);
  expect(await brokenHistoriesOf(backoffice)).toEqual([]);
  const [counts] = await sql(
    `select (select count(*)::integer from issues) as issues,
    (select count(*)::integer from issue_history where issue_id = any($1)) as left_of_deleted`,
    [doomed],
  );
  expect(counts).toEqual({ issues: 400 + rounds, left_of_deleted: 0 });
});

const trend = async (query = '') =>
  (await backoffice.api.get(`/issues/trend${query}`)).body as OutputOf<'issues.trend'>;

test('counts a new issue on the last day, in the time zone of the setting', async () => {
  await backoffice.sql('truncate issues');
  await backoffice.api.put('/settings', { key: 'timezone', value: 'Pacific/Kiritimati' });
  await backoffice.api.post('/issues', { title: 'T', severity: 'High' });
  const [row] = await backoffice.sql<{ date: string }>(
    "select to_char(created_at at time zone 'Pacific/Kiritimati', 'YYYY-MM-DD') as date from issues",
  );
  const { timezone, days } = await trend();
  expect(timezone).toBe('Pacific/Kiritimati');
  expect(days.filter(({ count }) => count > 0)).toEqual([
    {
      date: row?.date,
      // Midnight there.
      startsAt: new Date(`${row?.date}T00:00:00+14:00`).toISOString(),
      endsAt: new Date(`${row?.date}T24:00:00+14:00`).toISOString(),
      count: 1,
      bySeverity: [{ severity: 'High', count: 1 }],
    },
  ]);
});

test.for([
  ['?days=7', 7],
  ['?days=-5', 1],
  ['?days=367', 366],
  ['?days=many', 30],
] as const)('/issues/trend%s has %i consecutive days', async ([query, length]) => {
  const { days } = await trend(query);
  const last = Date.parse(days.at(-1)?.date ?? '');
  const dayBefore = (count: number) => new Date(last - count * 86_400_000).toISOString().slice(0, 10);
  expect(days.map(({ date }) => date)).toEqual(
    Array.from({ length }, (_, index) => dayBefore(length - 1 - index)),
  );
});
