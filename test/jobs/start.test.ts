import { afterEach, expect, test } from 'vitest';
import { startJobs } from '../../src/jobs/start.ts';
import { backofficeOfThisFile } from '../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

test('that the queue is worked on is logged only after it was lost', async () => {
  const said: string[] = [];
  const note = (level: string) => (_details: object, message: string) => said.push(`${level}: ${message}`);
  const log = { error: note('error'), warn: note('warn'), info: note('info') };
  const { services, databaseUrl } = backoffice.service;
  const jobs = startJobs({ services, databaseUrl, log });
  stops.push(() => jobs.stop());

  const workers = async () => {
    const rows = await backoffice.sql<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen "jobs:insert"%'`,
    );
    return rows.map(({ pid }) => pid);
  };
  await expect.poll(workers).toHaveLength(1);
  await backoffice.sql('select pg_terminate_backend($1)', [(await workers())[0]]);
  await expect.poll(() => said.at(-1)).toBe('info: job queue available again');
  expect(said[0]).toBe('warn: job queue unavailable');
});
