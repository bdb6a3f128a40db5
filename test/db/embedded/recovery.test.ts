import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { findOsUser, launchProgram } from '../../../src/db/embedded/programs.ts';
import {
  countMembers,
  killServer,
  queryAnswer,
  runningPid,
  startMember,
  stoppedServer,
  waitUntil,
} from '../../support/postgres/embedded.ts';
import { isSlowRun } from '../../support/slow-run.ts';

/** For what happens rarely: each of these starts several servers. */
const variant = test.runIf(isSlowRun);

/** Joins the server of a data directory, or starts it. */
const joinServer = (dataDirectory: string, log: (line: string) => void = () => {}) =>
  joinEmbeddedPostgres({ dataDirectory, durable: false, log });

/** Expects that a server answers, and leaves it. */
async function leaveAnswering(postgres: Awaited<ReturnType<typeof joinServer>>): Promise<void> {
  expect(await queryAnswer(postgres.url, 'SELECT 1 AS answer')).toBe(1);
  await postgres.close();
}

test('members restart a killed server at the same address, and the last one stops it', async () => {
  const dataDirectory = await stoppedServer();
  const other = await startMember(dataDirectory);
  const lines: string[] = [];
  const postgres = await joinServer(dataDirectory, (line) => lines.push(line));
  const pool = new Pool({ connectionString: postgres.superuserUrl });
  pool.on('error', () => undefined);
  await pool.query('CREATE TABLE kept AS SELECT 1 AS answer');
  // Without a checkpoint, a server that is not durable would lose the table.
  await pool.query('CHECKPOINT');

  for (const [round, signal] of (['SIGKILL', 'SIGINT'] as const).entries()) {
    const pid = await killServer(dataDirectory, signal);
    await waitUntil(async () => {
      const replaced = ![undefined, pid].includes(await runningPid(dataDirectory));
      return replaced && (await pool.query('SELECT answer FROM kept')).rows[0].answer === 1;
    });
    await waitUntil(async () => lines.filter((line) => line.endsWith('is back.')).length > round);
  }
  // Until the other member has claimed the new server too, this one is the last and would stop it.
  await waitUntil(async () => (await countMembers(postgres.url)) === 2);
  await pool.end();
  await postgres.close();
  await postgres.close();
  expect(await runningPid(dataDirectory)).toBeDefined();
  expect(await other.leave()).toBe(0);
  expect(await runningPid(dataDirectory)).toBeUndefined();
});

variant('a join waits until the processes of a killed server have ended', async () => {
  const dataDirectory = await stoppedServer();
  const member = await startMember(dataDirectory);
  const membership = `SELECT pid AS answer FROM pg_stat_activity WHERE application_name LIKE '%membership'`;
  const backend = Number(await queryAnswer(member.url, membership));
  // A stopped child keeps the shared memory, and Postgres refuses to start beside it.
  process.kill(backend, 'SIGSTOP');
  // Kill the member first, because it would restart the server.
  await member.kill();
  await killServer(dataDirectory, 'SIGKILL');

  const joining = joinServer(dataDirectory);
  const log = join(dataDirectory, 'postgres', 'server.log');
  await waitUntil(async () => (await readFile(log, 'utf8')).includes('pre-existing shared memory block'));
  process.kill(backend, 'SIGKILL');
  await leaveAnswering(await joining);
});

variant('ignores a postmaster.pid with the number of another program', async () => {
  const dataDirectory = await stoppedServer();
  const data = join(dataDirectory, 'postgres', 'data');
  const user = await findOsUser(join(dataDirectory, 'postgres'));
  const bystander = launchProgram('sleep', ['600'], user, 'ignore');
  onTestFinished(() => void bystander.kill());
  await writeFile(
    join(data, 'postmaster.pid'),
    `${bystander.pid}\n${data}\n1700000000\n5432\n\n127.0.0.1\n0 0\nready\n`,
  );
  await leaveAnswering(await joinServer(dataDirectory));
});

variant('a start uses another port if the last one is taken', async () => {
  const dataDirectory = await stoppedServer();
  const first = await joinServer(dataDirectory);
  await first.close();
  const port = Number(new URL(first.url).port);
  const squatter = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void squatter.close());
  await once(squatter, 'listening');
  const second = await joinServer(dataDirectory);
  expect(Number(new URL(second.url).port)).not.toBe(port);
  await leaveAnswering(second);
});
