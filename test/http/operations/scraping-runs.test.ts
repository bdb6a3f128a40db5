import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { type ApiResponse, atOnce } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

describe('recording', () => {
  const { sql } = backoffice;

  beforeEach(async () => {
    await sql('truncate scraping_runs restart identity cascade');
    await sql('delete from events');
  });

  const post = (body: unknown) => backoffice.api.post('/scraping-runs', body);

  const started_at = '2026-09-01T10:00:00.000Z';
  const finished_at = '2026-09-01T10:05:00.000Z';
  const running = { run_id: 'r1', source: 'shop', started_at };
  const ended = { ...running, status: 'succeeded', finished_at, pages_succeeded: 40, items_scraped: 380 };

  function recorded(counts: Partial<OutputOf<'scrapingRuns.record'>>): ApiResponse {
    const none = { recorded: 0, updated: 0, duplicates: 0, errors: 0 };
    return { status: 200, body: { success: true, ...none, ...counts } };
  }

  async function stored(): Promise<Record<string, unknown>> {
    const [row] = await sql(`select * from scraping_runs where run_id = 'r1'`);
    return row ?? {};
  }

  async function errors(): Promise<unknown[]> {
    return (await sql('select message from scraping_errors order by id')).map(({ message }) => message);
  }

  describe('a run', () => {
    test('is recorded with all its fields and errors', async () => {
      const said = { url: 'https://shop/1', code: 'TIMEOUT', message: 'Slow.' };
      const error = { ...said, http_status: 504, occurred_at: finished_at };
      const run = { ...ended, status: 'failed', pages_failed: 1, pages_blocked: 2, errors: [error, {}] };
      expect(await post({ runs: [run] })).toEqual(recorded({ recorded: 1, errors: 2 }));
      expect(await stored()).toEqual({
        ...{ run_id: 'r1', source: 'shop', status: 'failed' },
        started_at: new Date(started_at),
        finished_at: new Date(finished_at),
        ...{ pages_succeeded: 40, pages_failed: 1, pages_blocked: 2, items_scraped: 380 },
      });
      const { client } = backoffice.superadmin;
      const { scrapingErrors } = await client.call('settings.show', { section: 'scraping' });
      const of = { runId: 'r1', source: 'shop' };
      const unnamed = { url: '', code: 'UNKNOWN', httpStatus: null, message: '' };
      expect(scrapingErrors).toEqual([
        { ...of, ...unnamed, id: 2, occurredAt: expect.any(String) },
        { ...of, ...said, id: 1, httpStatus: 504, occurredAt: finished_at },
      ]);
    });

    test('requires only its id and source, and changes nothing when it is sent again unchanged', async () => {
      const least = { run_id: 'r1', source: 'shop' };
      expect(await post(least)).toEqual(recorded({ recorded: 1 }));
      expect(await post(least)).toEqual(recorded({ duplicates: 1 }));
      expect(await stored()).toMatchObject({ status: 'running', finished_at: null, items_scraped: 0 });
      expect(await post(ended)).toEqual(recorded({ updated: 1 }));
      expect(await post(ended)).toEqual(recorded({ duplicates: 1 }));
    });

    test('progresses while it runs, even if its deliveries arrive out of order', async () => {
      const further = { ...running, pages_succeeded: 5, items_scraped: 9 };
      const furthest = { ...running, pages_succeeded: 7 };
      for (const order of [
        [running, further, furthest],
        [furthest, further, running],
        [further, furthest, running],
      ]) {
        await sql('truncate scraping_runs cascade');
        for (const delivery of order) await post(delivery);
        expect(await stored()).toMatchObject({ status: 'running', pages_succeeded: 7, items_scraped: 9 });
      }
      expect(await post(ended)).toEqual(recorded({ updated: 1 }));
      expect(await stored()).toMatchObject({ status: 'succeeded', pages_succeeded: 40, items_scraped: 380 });
    });

    test('stays as it is once it has ended, except for new errors', async () => {
      await post(ended);
      const later = { ...running, status: 'failed', items_scraped: 1_000 };
      expect(await post({ ...later, errors: [{ message: 'Found later.' }] })).toEqual(
        recorded({ duplicates: 1, errors: 1 }),
      );
      expect(await post(running)).toEqual(recorded({ duplicates: 1 }));
      expect(await stored()).toMatchObject({ status: 'succeeded', items_scraped: 380 });
      expect(await errors()).toEqual(['Found later.']);
    });

    test('may be in a batch several times, as if sent one by one', async () => {
      const runs = [running, { ...running, run_id: 'r2' }, { ...running, pages_failed: 3 }, ended, running];
      expect(await post({ runs })).toEqual(recorded({ recorded: 2, updated: 2, duplicates: 1 }));
      expect(await stored()).toMatchObject({ status: 'succeeded', pages_failed: 3 });
    });
  });

  describe('an error counts once', () => {
    const at = '2026-09-01T10:01:00Z';

    test('by its id within its run', async () => {
      const one = { error_id: '1', message: 'One.', occurred_at: at };
      expect(await post({ ...running, errors: [one, { ...one, message: 'Other.' }] })).toEqual(
        recorded({ recorded: 1, errors: 1 }),
      );
      await post({ ...running, errors: [one, { ...one, error_id: '2', message: 'Two.' }] });
      await post({ ...running, run_id: 'r2', errors: [{ ...one, message: 'Of another run.' }] });
      expect(await errors()).toEqual(['One.', 'Two.', 'Of another run.']);
    });

    test('without an id, by its content', async () => {
      const one = { url: 'u', code: 'C', http_status: 500, message: 'One.', occurred_at: at };
      const others = [
        { ...one, url: 'v' },
        { ...one, code: 'D' },
        { ...one, http_status: null },
        { ...one, message: 'Two.' },
        { ...one, occurred_at: '2026-09-01T10:01:00.001Z' },
        { ...one, occurred_at: null },
      ];
      expect(await post({ ...running, errors: [one, one, ...others] })).toEqual(
        recorded({ recorded: 1, errors: 7 }),
      );
      // The same instant in another time zone.
      const again = [{ ...one, occurred_at: '2026-09-01T12:01:00+02:00' }, ...others];
      expect(await post({ ...running, errors: again })).toEqual(recorded({ duplicates: 1 }));
    });

    test('and an error that an operator inserts in SQL counts separately', async () => {
      await post(running);
      await sql(
        `insert into scraping_errors (run_id, message) select 'r1', 'Same.' from generate_series(1, 3)`,
      );
      expect(await errors()).toHaveLength(3);
    });
  });

  test('each run that is new, progressed or got errors is one event', async () => {
    const error = { message: 'One.' };
    await post({ runs: [running, { ...running, run_id: 'r2', errors: [error] }] });
    await post({ runs: [ended, running, { ...running, run_id: 'r2', errors: [error] }] });
    await post({ ...running, errors: [error] });
    expect(await sql('select type, subject_id, data from events order by id')).toEqual(
      [
        ['r1', 'running', 0],
        ['r2', 'running', 1],
        ['r1', 'succeeded', 0],
        ['r1', 'succeeded', 1],
      ].map(([subject_id, status, new_errors]) => ({
        ...{ type: 'scraping_run.recorded', subject_id },
        data: { source: 'shop', status, new_errors },
      })),
    );
    const before = await sql(
      `select before from audit_records where event = 'scraping_run.recorded' order by id desc limit 4`,
    );
    expect(before.map((row) => row.before)).toEqual([
      { source: 'shop', status: 'succeeded' },
      { source: 'shop', status: 'running' },
      null,
      null,
    ]);
  });

  test('concurrent batches in opposite orders count once and do not deadlock', async () => {
    const errors = [{ message: 'Same.' }];
    const answers = await atOnce(20, (pages_succeeded) => {
      const run = { ...running, pages_succeeded, errors };
      const runs = Array.from({ length: 100 }, (_, index) => ({ ...run, run_id: `run ${index}` }));
      return post({ runs: pages_succeeded % 2 === 0 ? runs : runs.toReversed() });
    });
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const sum = (name: 'recorded' | 'errors') =>
      answers.reduce((total, { body }) => total + (body as Record<typeof name, number>)[name], 0);
    expect([sum('recorded'), sum('errors')]).toEqual([100, 100]);
    const [found] = await sql(
      `select count(*)::integer as runs, min(pages_succeeded) as least,
         (select count(*)::integer from scraping_errors) as errors from scraping_runs`,
    );
    expect(found).toEqual({ runs: 100, least: 19, errors: 100 });
  });
});

describe('reading', () => {
  const failed = {
    ...{ run_id: 'r3', source: 'shop.example.org', status: 'failed' },
    ...{ started_at: '2026-03-03T10:00:00.000Z', finished_at: '2026-03-03T10:05:30.250Z' },
    ...{ pages_succeeded: 40, pages_failed: 2, pages_blocked: 1, items_scraped: 380 },
  };

  beforeAll(async () => {
    await backoffice.sql('truncate scraping_runs cascade');
    const [first, second, third] = ['10:00:01Z', '10:00:02Z', '10:00:02Z'].map((time, index) => ({
      error_id: `e${index}`,
      message: `Error ${index}`,
      occurred_at: `2026-03-05T${time}`,
    }));
    const started_at = '2026-03-05T10:00:00Z';
    const runs = [
      { ...failed, errors: [{ error_id: 'a' }, { error_id: 'b' }] },
      { run_id: 'r6', source: 'shop.example.org', started_at, errors: [first, second] },
      { run_id: 'r7', source: 'news.example.org', started_at, errors: [third] },
      { run_id: 'r8', source: 'shop.example.org', started_at: '2026-03-04T10:00:00Z' },
    ];
    expect((await backoffice.api.post('/scraping-runs', { runs })).status).toBe(200);
  });

  test('the list has every run, latest start first, with its result', async () => {
    const { runs } = await backoffice.superadmin.client.call('scrapingRuns.list');
    expect(runs.map(({ run_id }) => run_id)).toEqual(['r7', 'r6', 'r8', 'r3']);
    expect(runs[3]).toEqual({ ...failed, errors: 2 });
    expect(runs[2]).toEqual({
      ...{ run_id: 'r8', source: 'shop.example.org', status: 'running' },
      ...{ started_at: '2026-03-04T10:00:00.000Z', finished_at: null },
      ...{ pages_succeeded: 0, pages_failed: 0, pages_blocked: 0, items_scraped: 0, errors: 0 },
    });
  });

  describe('the errors of runs', () => {
    const read = (input: InputOf<'scrapingRuns.errors'>) =>
      backoffice.superadmin.client.call('scrapingRuns.errors', input);

    test.for<[of: string, input: InputOf<'scrapingRuns.errors'>, messages: string[]]>([
      ['a run', { run_id: 'r6' }, ['Error 1', 'Error 0']],
      ['a source', { source: 'news.example.org' }, ['Error 2']],
      ['a time', { since: '2026-03-05T10:00:02Z', until: '2026-03-05T10:00:03Z' }, ['Error 2', 'Error 1']],
      ['an unknown run', { run_id: 'none' }, []],
    ])('are those of %s, newest first', async ([, input, messages]) => {
      expect((await read(input)).errors.map(({ message }) => message)).toEqual(messages);
    });

    test('have all their fields', async () => {
      expect((await read({ run_id: 'r7' })).errors).toEqual([
        {
          ...{ id: expect.any(Number), runId: 'r7', source: 'news.example.org' },
          ...{ url: '', code: 'UNKNOWN', httpStatus: null, message: 'Error 2' },
          occurredAt: '2026-03-05T10:00:02.000Z',
        },
      ]);
    });

    test.for([1, 2, 3, 4])('are read in pages of %i', async (limit) => {
      const of = { since: '2026-03-05T10:00:00Z', until: '2026-03-06T10:00:00Z' };
      const found: string[] = [];
      for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
        const page: Awaited<ReturnType<typeof read>> = await read({ ...of, limit, cursor });
        found.push(...page.errors.map(({ message }) => message));
        cursor = page.nextCursor;
      }
      expect(found).toEqual(['Error 2', 'Error 1', 'Error 0']);
    });

    test('end a page before its limit where they are very long', async () => {
      await backoffice.sql(
        `insert into scraping_errors (run_id, message) select 'r8', repeat('x', 100000) from generate_series(1, 90)`,
      );
      const of = { run_id: 'r8', limit: 90 };
      const { errors, nextCursor } = await read(of);
      expect(errors.length).toBeLessThan(90);
      const rest = await read({ ...of, cursor: nextCursor ?? '' });
      expect(rest.errors).toHaveLength(90 - errors.length);
    });
  });
});
