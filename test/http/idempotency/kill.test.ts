import { expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';
import { disagreements } from '../../support/run/server.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { createIssuesThroughKills } from './retried-requests.ts';

const backoffice = backofficeHere();

const issues = isSlowRun ? 1_000 : 300;
const kills = Math.ceil(issues / 200);

test('requests that are repeated while the server is killed several times each create one issue', async () => {
  const { service, sql } = backoffice;
  const { secret } = await service.createToken('superadmin');
  const start = Date.now();
  const { answers, retries, replays, stillRunning } = await createIssuesThroughKills(
    service.databaseUrl,
    secret,
    { issues, kills },
  );

  const ids = answers.map((answer) => {
    const { success, id } = JSON.parse(answer);
    expect(success).toBe(true);
    return id;
  });
  const rows = await sql('select id::int from issues order by id');
  expect(rows.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(issues);
  // Each answer is that of its own request.
  const titles = await sql(
    'select title from issues join unnest($1::bigint[]) with ordinality as given (id, place) using (id) order by place',
    [ids],
  );
  expect(titles.map(({ title }) => title)).toEqual(ids.map((_, index) => `Issue ${index}`));
  expect(await sql('select from idempotency_keys')).toHaveLength(issues);
  expect(await disagreements(service.databaseUrl)).toEqual([]);
  expect(retries).toBeGreaterThan(0);
  console.log(
    `${issues} issues, ${kills} kills, ${retries} requests sent again, ${replays} of them answered before, ${stillRunning} still running, in ${Date.now() - start} ms`,
  );
});
