import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';
import { checkIssueCounters } from '../../../../src/db/analytics/issue-counters.ts';
import { type Api, type ApiResponse, apiAs } from '../../../support/here/requests.ts';
import { brokenHistoriesOf, createIssues } from '../../../support/here/rows.ts';
import { backofficeHere, startTestService, type TestService } from '../../../support/here.ts';

const backoffice = backofficeHere();

const rounds = 3;
const parallelChanges = 12;

/** Each instance runs three bulk changes at once, so that the database runs all of them at once. */
const others: TestService[] = [];

beforeAll(async () => {
  const env = { DATABASE_URL: backoffice.service.databaseUrl };
  for (let count = 0; count < 3; count += 1) others.push(await startTestService(env));
});

afterAll(async () => {
  for (const other of others) await other.stop();
});

test('12 bulk changes of the same issues at once, with undos, single changes, deletions and new ones, add up', async () => {
  const { sql, service, superadmin } = backoffice;
  const apis = [service, ...others].map(({ url }) => apiAs(url, superadmin));
  const apiOf = (index: number) => apis[index % apis.length] as Api;
  const api = apiOf(0);
  const ids = await createIssues(backoffice, 400);
  const doomed = await createIssues(backoffice, 24);
  for (const [index, id] of doomed.entries()) {
    const conversation = `conv_${index % rounds}`;
    await sql(
      `insert into conversations (id, visitor_email, visitor_name) values ($1, 'v', 'V') on conflict do nothing`,
      [conversation],
    );
    await sql('insert into issue_links (issue_id, conversation_id) values ($1, $2)', [id, conversation]);
  }
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
        api.delete(`/conversations?id=conv_${round}`),
        api.post('/issues', { title: 'New', severity: 'Low' }),
      ])),
    );
  }
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await checkIssueCounters(service.services.databases.primary)).toEqual([]);
  expect(await brokenHistoriesOf(backoffice)).toEqual([]);
  const [counts] = await sql(
    `select (select count(*)::integer from issues) as issues,
      (select count(*)::integer from issue_history where issue_id = any($1)) as left_of_deleted,
      (select count(*)::integer from issue_history) > 1000 as has_history`,
    [doomed],
  );
  expect(counts).toEqual({ issues: 400 + rounds, left_of_deleted: 0, has_history: true });
});
