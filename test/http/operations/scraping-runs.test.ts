import { beforeEach, describe, expect, test } from 'vitest';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { type ApiResponse, atOnce } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();
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

/** Returns the run that was started last. */
const stored = async () => (await backoffice.superadmin.client.call('scrapingRuns.list')).runs[0];

async function errors(): Promise<unknown[]> {
  return (await sql('select message from scraping_errors order by id')).map(({ message }) => message);
}

const read = (input: InputOf<'scrapingRuns.errors'>) =>
  backoffice.superadmin.client.call('scrapingRuns.errors', input);

describe('a run', () => {
  test('is recorded with all its fields and errors', async () => {
    const said = { url: 'https://shop/1', code: 'TIMEOUT', message: 'Slow.' };
    const error = { ...said, http_status: 504, occurred_at: finished_at };
    const run = { ...ended, status: 'failed', pages_failed: 1, pages_blocked: 2 };
    expect(await post({ runs: [{ ...run, errors: [error, {}] }] })).toEqual(
      recorded({ recorded: 1, errors: 2 }),
    );
    expect(await stored()).toEqual({ ...run, errors: 2 });
    const { client } = backoffice.superadmin;
    const { scrapingErrors } = await client.call('settings.show', { section: 'scraping' });
    const of = { runId: 'r1', source: 'shop' };
    const unnamed = { url: '', code: 'UNKNOWN', httpStatus: null, message: '' };
    expect(scrapingErrors).toEqual([
      { ...of, ...unnamed, id: 2, occurredAt: expect.any(String) },
      { ...of, ...said, id: 1, httpStatus: 504, occurredAt: finished_at },
    ]);
    expect((await read({})).errors).toEqual(scrapingErrors);
  });

  test('requires only its id and source, and changes nothing when it is sent again unchanged', async () => {
    const least = { run_id: 'r1', source: 'shop' };
    expect(await post(least)).toEqual(recorded({ recorded: 1 }));
    expect(await post(least)).toEqual(recorded({ duplicates: 1 }));
    expect(await stored()).toEqual({
      ...least,
      status: 'running',
      started_at: expect.any(String),
      finished_at: null,
      errors: 0,
      pages_succeeded: 0,
      pages_failed: 0,
      pages_blocked: 0,
      items_scraped: 0,
    });
  });

  test('progresses while it runs, even if its deliveries arrive out of order', async () => {
    const further = { ...running, pages_succeeded: 5, items_scraped: 9 };
    const furthest = { ...running, pages_succeeded: 7 };
    for (const delivery of [further, furthest, running]) await post(delivery);
    expect(await stored()).toMatchObject({ status: 'running', pages_succeeded: 7, items_scraped: 9 });
    expect(await post(ended)).toEqual(recorded({ updated: 1 }));
    expect(await stored()).toMatchObject({ status: 'succeeded', pages_succeeded: 40, items_scraped: 380 });
  });

  test('has a duration if it was running before it ended, also if its sender gives no end', async () => {
    const analytics = async () => {
      const { scraping } = await backoffice.superadmin.client.call('settings.show', { section: 'scraping' });
      return scraping;
    };
    await post({ run_id: 'r1', source: 'shop' });
    expect((await analytics())?.avgDurationMs).toBeNull();
    await sql(`update scraping_runs set started_at = started_at - interval '1 minute'`);
    await post({ run_id: 'r1', source: 'shop', status: 'succeeded' });
    const { started_at: start = '', finished_at: end = null } = (await stored()) ?? {};
    expect(Date.parse(end ?? '') - Date.parse(start)).toBeGreaterThanOrEqual(60_000);
    expect((await analytics())?.avgDurationMs).toBeGreaterThanOrEqual(60_000);
    // One that is sent only after its end has none.
    await post({ run_id: 'r2', source: 'shop', status: 'succeeded' });
    expect((await stored())?.finished_at).toBeNull();
    // A clock that is ahead.
    const ahead = { run_id: 'r3', source: 'shop', started_at: '2999-01-01T00:00:00.000Z' };
    for (const status of ['running', 'failed']) await post({ ...ahead, status });
    expect(await stored()).toMatchObject({ run_id: 'r3', finished_at: ahead.started_at });
  });

  test('stays as it is once it has ended, except for new errors', async () => {
    await post(ended);
    const later = { ...running, status: 'failed', items_scraped: 1_000 };
    expect(await post({ ...later, errors: [{ message: 'Found later.' }] })).toEqual(
      recorded({ duplicates: 1, errors: 1 }),
    );
    expect(await post(running)).toEqual(recorded({ duplicates: 1 }));
    expect(await stored()).toMatchObject({ status: 'succeeded', items_scraped: 380, errors: 1 });
  });

  test('may be in a batch several times, as if sent one by one', async () => {
    const runs = [running, { ...running, run_id: 'r0' }, { ...running, pages_failed: 3 }, ended, running];
    expect(await post({ runs })).toEqual(recorded({ recorded: 2, updated: 2, duplicates: 1 }));
    expect(await stored()).toMatchObject({ run_id: 'r1', status: 'succeeded', pages_failed: 3 });
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

  test('without an id, by its content, but not what an operator inserts in SQL', async () => {
    const one = { url: 'u', code: 'C', http_status: 500, message: 'One.', occurred_at: at };
    const others = [
      { ...one, url: 'v' },
      { ...one, http_status: null },
      { ...one, message: 'Two.' },
      { ...one, occurred_at: null },
    ];
    expect(await post({ ...running, errors: [one, one, ...others] })).toEqual(
      recorded({ recorded: 1, errors: 5 }),
    );
    // The same instant in another time zone.
    const again = [{ ...one, occurred_at: '2026-09-01T12:01:00+02:00' }, ...others];
    expect(await post({ ...running, errors: again })).toEqual(recorded({ duplicates: 1 }));
    await sql(
      `insert into scraping_errors (run_id, message) select 'r1', 'Same.' from generate_series(1, 3)`,
    );
    expect(await errors()).toHaveLength(8);
  });
});

test('each run that is new, progressed or got errors is one event', async () => {
  const error = { message: 'One.' };
  await post({ runs: [running, { ...running, run_id: 'r2', errors: [error] }] });
  await post({ runs: [ended, running, { ...running, run_id: 'r2', errors: [error] }] });
  await post({ ...running, errors: [error] });
  const events = await sql(
    `select type, e.subject_id, data, before from events e join audit_records using (id) order by id`,
  );
  expect(events).toEqual(
    [
      ['r1', 'running', 0, null],
      ['r2', 'running', 1, null],
      ['r1', 'succeeded', 0, 'running'],
      ['r1', 'succeeded', 1, 'succeeded'],
    ].map(([subject_id, status, new_errors, before]) => ({
      type: 'scraping_run.recorded',
      subject_id,
      data: { source: 'shop', status, new_errors },
      before: before === null ? null : { source: 'shop', status: before },
    })),
  );
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

test('lists the runs of several ids, one of which may have commas', async () => {
  await post({ runs: ['r1', 'r2', 'r3', 'a, b'].map((run_id) => ({ ...running, run_id })) });
  const idsOf = async (run_id: string) =>
    (await backoffice.superadmin.client.call('scrapingRuns.list', { run_id })).runs
      .map((run) => run.run_id)
      .toSorted();
  expect(await idsOf('r1')).toEqual(['r1']);
  expect(await idsOf('r1,r3')).toEqual(['r1', 'r3']);
  expect(await idsOf('a, b')).toEqual(['a, b']);
});

test('the errors of runs are those of a run, a source or a time, newest first, page by page', async () => {
  const [first, second, third] = ['01', '02', '02'].map((seconds, index) => ({
    message: `Error ${index}`,
    occurred_at: `2026-03-05T10:00:${seconds}Z`,
  }));
  await post({ ...running, errors: [first, second] });
  await post({ run_id: 'r2', source: 'news', errors: [third] });
  const messagesOf = async (input: InputOf<'scrapingRuns.errors'>) =>
    (await read(input)).errors.map(({ message }) => message);
  for (const [input, expected] of [
    [{}, ['Error 2', 'Error 1', 'Error 0']],
    [{ run_id: 'r1' }, ['Error 1', 'Error 0']],
    [{ source: 'news' }, ['Error 2']],
    [{ since: '2026-03-05T10:00:02Z', until: '2026-03-05T10:00:03Z' }, ['Error 2', 'Error 1']],
  ] as const)
    expect(await messagesOf(input), JSON.stringify(input)).toEqual(expected);
  const { errors: page, nextCursor } = await read({ limit: 2 });
  expect(page).toHaveLength(2);
  expect(await messagesOf({ cursor: nextCursor ?? '' })).toEqual(['Error 0']);
});
