import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Limits } from '../../../src/services/load/limiter.ts';
import { apiAs, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere, startTestService, type TestService } from '../../support/here.ts';
import { untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();

/** The costliest search that is allowed: many different short words, which no index finds. */
const costly = Array.from('bcdfghjklmnpqrstvwxz', (letter) => `${letter}${letter}`)
  .join(' ')
  .padEnd(200, ' aa');

const stops: (() => unknown)[] = [];

beforeAll(async () => {
  // Rows with all of the words but the last one: each is read to its end.
  await backoffice.sql(
    `insert into issues (title, description) select 'Long', $1 || repeat('ab ', 30000) from generate_series(1, 400)`,
    [costly.replaceAll('aa', '')],
  );
});

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function startWith(limits: Partial<Limits>): Promise<TestService> {
  const env = { DATABASE_URL: backoffice.service.databaseUrl };
  const service = await startTestService(env, { limits: { searches: limits } });
  stops.push(() => service.stop());
  return service;
}

/** Holds searches until the transaction of the test ends. */
async function holdSearches(): Promise<void> {
  stops.push(() => backoffice.sql('rollback'));
  await backoffice.sql('begin');
  await backoffice.sql('lock table issue_search');
}

const path = `/issues?limit=10&q=${encodeURIComponent(costly)}`;

describe('costly searches', () => {
  test('of 50 callers at once run two at a time, and others are answered meanwhile', async () => {
    const service = await startWith({ perCaller: 2, waitMs: 2_000 });
    const api = apiAs(service.url, await service.signIn('user'));
    const other = apiAs(service.url, await service.signIn('user'));
    await holdSearches();
    const searches = Array.from({ length: 50 }, () => api.get(path));
    await untilBlocked(backoffice, 2);
    for (let page = 0; page < 10; page += 1) expect((await other.get('/issues?limit=1')).status).toBe(200);
    await untilBlocked(backoffice, 2);
    await backoffice.sql('rollback');
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 503 && status !== 400)).toEqual([]);
  });

  test('that take too long end with what to do instead', async () => {
    const api = apiAs(backoffice.service.url, backoffice.superadmin);
    await holdSearches();
    expect(await api.get(path)).toEqual(
      errorResponse(
        400,
        'The search took too long. Search for a longer or rarer word, or in a shorter period with since and until.',
      ),
    );
  });

  test('run only so many at once for one actor, and the rest gets 503 with Retry-After', async () => {
    const service = await startWith({ perCaller: 1, maxQueued: 0 });
    const { cookie } = await service.signIn('user');
    const search = () => fetch(`${service.url}/api/admin/issues?limit=1&q=Long`, { headers: { cookie } });
    await holdSearches();
    const first = search();
    const early = first.then(({ status }) => {
      throw new Error(`The search was not held: ${status}.`);
    });
    await Promise.race([untilBlocked(backoffice), early]);
    const others = await Promise.all([search(), search(), search(), search()]);
    expect(others.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      Array(4).fill([503, '5']),
    );
    await backoffice.sql('rollback');
    expect((await first).status).toBe(200);
    expect((await search()).status).toBe(200);
  });
});
