import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bearer, postWithKey } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';
import { disagreements, type ServerProcess, serveProcess } from '../../support/run/server.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

const issues = isSlowRun ? 1_000 : 150;
const kills = isSlowRun ? 5 : 2;
const workers = 20;
const retryDelayMs = 20;

/**
 * Creates issues, each under its own key, and repeats each request until it is answered. Meanwhile kills the server several
 * times, amid requests, and starts another one. Returns the answers in the order of the requests, and how many were sent
 * again, answered before, and told that the first was still running.
 */
async function createIssuesThroughKills(databaseUrl: string, token: string) {
  const answers: string[] = [];
  let [next, answered, retries, replays, stillRunning] = [0, 0, 0, 0, 0];
  let server: Promise<ServerProcess> = serveProcess(databaseUrl);
  onTestFinished(async () => void (await (await server).command.stop('SIGKILL')));

  async function killAndRestart(): Promise<ServerProcess> {
    const killed = await server;
    // Not right after an answer.
    await sleep(Math.random() * 10);
    await killed.command.stop('SIGKILL');
    return await serveProcess(databaseUrl);
  }

  async function create(index: number): Promise<string> {
    while (true) {
      const { url } = await server;
      const issue = { title: `Issue ${index}` };
      const request = postWithKey(url, bearer(token), '/issues', issue, `issue ${index}`);
      const answer = await request.catch(() => undefined);
      if (answer?.status === 200) {
        if (answer.replayed) replays++;
        return answer.text;
      }
      if (answer?.status === 409) stillRunning++;
      else if (answer === undefined || answer.status >= 500) retries++;
      else throw new Error(`The request was answered ${answer.status} ${answer.text}.`);
      await sleep(retryDelayMs);
    }
  }

  const killPoints = Array.from({ length: kills }, (_, n) => Math.round(((n + 1) * issues) / (kills + 1)));
  async function work(): Promise<void> {
    while (next < issues) {
      const index = next++;
      answers[index] = await create(index);
      if (killPoints.includes(++answered)) server = killAndRestart();
    }
  }
  await Promise.all(Array.from({ length: workers }, work));
  return { answers, retries, replays, stillRunning };
}

test('requests that are repeated while the server is killed several times each create one issue', async () => {
  const { service, sql } = backoffice;
  const { secret } = await service.createToken('superadmin');
  const start = Date.now();
  const { answers, ...counts } = await createIssuesThroughKills(service.databaseUrl, secret);

  const ids = answers.map((answer) => JSON.parse(answer).id);
  expect(await sql('select id::int from issues order by id')).toEqual(
    ids.toSorted((a, b) => a - b).map((id) => ({ id })),
  );
  expect(new Set(ids).size).toBe(issues);
  // Each answer is that of its own request.
  const titles = await sql(
    'select title from issues join unnest($1::bigint[]) with ordinality as given (id, place) using (id) order by place',
    [ids],
  );
  expect(titles.map(({ title }) => title)).toEqual(ids.map((_, index) => `Issue ${index}`));
  expect(await sql('select from idempotency_keys')).toHaveLength(issues);
  expect(await disagreements(service.databaseUrl)).toEqual([]);
  expect(counts.retries).toBeGreaterThan(0);
  console.log(`${issues} issues, ${kills} kills, ${JSON.stringify(counts)}, in ${Date.now() - start} ms`);
});
