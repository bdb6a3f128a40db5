import { beforeAll, describe, expect, test } from 'vitest';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

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

describe('the errors of runs', () => {
  beforeAll(async () => {
    const [first, second, third] = ['10:00:01Z', '10:00:02Z', '10:00:02Z'].map((time, index) => ({
      error_id: `e${index}`,
      message: `Error ${index}`,
      occurred_at: `2026-03-05T${time}`,
    }));
    const runs = [
      {
        run_id: 'r6',
        source: 'shop.example.org',
        started_at: '2026-02-05T10:00:00Z',
        errors: [first, second],
      },
      { run_id: 'r7', source: 'news.example.org', started_at: '2026-02-05T10:00:00Z', errors: [third] },
    ];
    expect((await backoffice.api.post('/scraping-runs', { runs })).status).toBe(200);
  });

  const read = (input: object) => backoffice.superadmin.client.call('scrapingRuns.errors', input);
  const messages = async (input: object) => (await read(input)).errors.map(({ message }) => message);

  test('are those of a run, of a source or of a time, newest first', async () => {
    expect(await messages({ run_id: 'r6' })).toEqual(['Error 1', 'Error 0']);
    expect(await messages({ source: 'news.example.org' })).toEqual(['Error 2']);
    const day = { since: '2026-03-05T10:00:02Z', until: '2026-03-05T10:00:03Z' };
    expect(await messages(day)).toEqual(['Error 2', 'Error 1']);
    expect(await messages({ run_id: 'none' })).toEqual([]);
    expect((await read({ run_id: 'r7' })).errors).toEqual([
      {
        id: expect.any(Number),
        runId: 'r7',
        source: 'news.example.org',
        url: '',
        code: 'UNKNOWN',
        httpStatus: null,
        message: 'Error 2',
        occurredAt: '2026-03-05T10:00:02.000Z',
      },
    ]);
  });

  test.for([1, 2, 3, 4])('are read in pages of %i', async (limit) => {
    const since = '2026-03-05T10:00:00Z';
    const until = '2026-03-06T10:00:00Z';
    const found: string[] = [];
    for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
      const page: Awaited<ReturnType<typeof read>> = await read({ since, until, limit, cursor });
      found.push(...page.errors.map(({ message }) => message));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(['Error 2', 'Error 1', 'Error 0']);
  });

  test('end a page before its limit where they are very long', async () => {
    await backoffice.sql(
      `insert into scraping_errors (run_id, message) select 'r5', repeat('x', 100000) from generate_series(1, 90)`,
    );
    const { errors, nextCursor } = await read({ run_id: 'r5', limit: 90 });
    expect(errors.length).toBeLessThan(90);
    expect((await read({ run_id: 'r5', limit: 90, cursor: nextCursor ?? '' })).errors).toHaveLength(
      90 - errors.length,
    );
  });
});
