import { beforeAll, describe, expect, test } from 'vitest';
import { backofficeOfThisFile } from '../../../support/http/backoffice.ts';
import { errorResponse } from '../../../support/http/requests.ts';

const backoffice = backofficeOfThisFile();

interface Runs {
  readonly runs: readonly { readonly run_id: string }[];
  readonly nextCursor?: string | null;
}

const list = async (query = '') => (await backoffice.api.get(`/scraping-runs${query}`)).body as Runs;
const idsOf = ({ runs }: Runs) => runs.map(({ run_id }) => run_id);

const failed = {
  run_id: 'r3',
  source: 'shop.example.org',
  status: 'failed',
  started_at: '2026-03-03T10:00:00.000Z',
  finished_at: '2026-03-03T10:05:30.250Z',
  pages_succeeded: 40,
  pages_failed: 2,
  pages_blocked: 1,
  items_scraped: 380,
};

/** In order of their start; the last two start at the same time. */
const sent = [
  { run_id: 'r1', source: 'shop.example.org', status: 'succeeded', started_at: '2026-03-01T10:00:00Z' },
  { run_id: 'r2', source: 'news.example.org', status: 'cancelled', started_at: '2026-03-02T10:00:00Z' },
  { ...failed, errors: [{ error_id: 'a' }, { error_id: 'b' }] },
  { run_id: 'r4', source: 'news.example.org', started_at: '2026-03-04T10:00:00Z' },
  { run_id: 'r5', source: 'shop.example.org', started_at: '2026-03-04T10:00:00Z' },
];

beforeAll(async () => {
  expect((await backoffice.api.post('/scraping-runs', { runs: sent })).status).toBe(200);
});

test('the list has every run, latest start first, with its result', async () => {
  const answer = await list();
  expect(idsOf(answer)).toEqual(['r5', 'r4', 'r3', 'r2', 'r1']);
  expect(answer).not.toHaveProperty('nextCursor');
  expect(answer.runs[2]).toEqual({ ...failed, errors: 2 });
  expect(answer.runs[0]).toEqual({
    run_id: 'r5',
    source: 'shop.example.org',
    status: 'running',
    started_at: '2026-03-04T10:00:00.000Z',
    finished_at: null,
    pages_succeeded: 0,
    pages_failed: 0,
    pages_blocked: 0,
    items_scraped: 0,
    errors: 0,
  });
});

describe('a filter of runs returns', () => {
  test.for([
    ['those with a source', '?source=news.example.org', ['r4', 'r2']],
    ['those with a status', '?status=running', ['r5', 'r4']],
    ['those with a source and a status', '?source=shop.example.org&status=failed', ['r3']],
    ['those with a text in the id or source', '?q=NEWS', ['r4', 'r2']],
    ['those since a time', '?since=2026-03-04T10:00:00Z', ['r5', 'r4']],
    ['those until a time', '?until=2026-03-02T10:00:00Z', ['r1']],
    ['all if it is empty', '?source=&status=&q=', ['r5', 'r4', 'r3', 'r2', 'r1']],
    ['none if no run matches', '?source=shop', []],
  ] as const)('%s', async ([, query, ids]) => {
    expect(idsOf(await list(query))).toEqual(ids);
  });

  test('an error for an unknown status', async () => {
    expect(await backoffice.api.get('/scraping-runs?status=done')).toEqual(
      errorResponse(400, 'status must be one of: running, succeeded, failed, cancelled.'),
    );
  });
});

test.for([1, 2, 4, 5, 6])('pages of %i runs have each run once', async (limit) => {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Runs = await list(`?limit=${limit}&cursor=${cursor}`);
    ids.push(...idsOf(page));
    cursor = page.nextCursor ?? null;
  }
  expect(ids).toEqual(['r5', 'r4', 'r3', 'r2', 'r1']);
});
